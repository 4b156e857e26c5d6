"""The pages for people: server-rendered, with styles and a script from here."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route

from kgstore.cli.server import checking, querying, review, walking
from kgstore.cli.server.asking import answer
from kgstore.cli.server.errors import Refused
from kgstore.cli.server.guard import same
from kgstore.cli.server.openapi import description
from kgstore.cli.server.sessions import LASTS, cookie_name
from kgstore.cli.server.templates import HERE, SCRIPTS, rendered, style


async def static(request: Request) -> Response:
    """Our styles and scripts, and nothing else that lies there."""
    name = request.path_params["name"]
    if name == "page.css":
        return Response(style(), media_type="text/css", headers={"Cache-Control": "no-cache"})
    if name not in SCRIPTS:
        raise Refused(404, "there is no such file")
    return FileResponse(HERE / "static" / name, media_type="text/javascript", headers={"Cache-Control": "no-cache"})


async def icon(request: Request) -> Response:
    """None: browsers ask for one unasked."""
    return Response(status_code=204)


async def openapi(request: Request) -> Response:
    return answer(description())


async def docs(request: Request) -> Response:
    return rendered(request, "docs.html", api=description())


async def login(request: Request) -> Response:
    """Shows the form, takes the token, and gives a cookie for it."""
    sessions, settings = request.app.state.sessions, request.app.state.desks.settings
    if request.method == "GET":
        return rendered(request, "login.html", wrong="")
    if not sessions.may_try():
        return rendered(request, "login.html", 429, wrong="Too many wrong tokens: wait a minute.")
    token = (await request.form(max_files=0, max_fields=4)).get("token")
    if not settings.token or not isinstance(token, str) or not same(token, settings.token):
        sessions.tried()
        return rendered(request, "login.html", 401, wrong="That is not the token of this server.")
    found = RedirectResponse("/", 303)
    name = cookie_name(settings.secure)
    found.set_cookie(name, sessions.start(), LASTS, httponly=True, samesite="strict", secure=settings.secure)
    return found


async def logout(request: Request) -> Response:
    name = cookie_name(request.app.state.desks.settings.secure)
    request.app.state.sessions.end(request.cookies.get(name, ""))
    found = RedirectResponse("/login", 303)
    found.delete_cookie(name, secure=name.startswith("__"))
    return found


ROUTES = [
    Route("/", checking.page, methods=["GET", "POST"]),
    Route("/page/verify", checking.stream, methods=["POST"]),
    Route("/page/extract", checking.extract, methods=["POST"]),
    Route("/page/complete", walking.complete),
    Route("/entity", walking.entity),
    Route("/path", walking.path),
    Route("/find", walking.find),
    Route("/query", querying.page, methods=["GET", "POST"]),
    Route("/review", review.post, methods=["POST"]),
    Route("/reviews", review.page),
    Route("/static/{name}", static),
    Route("/favicon.ico", icon),
    Route("/openapi.json", openapi),
    Route("/docs", docs),
    Route("/login", login, methods=["GET", "POST"]),
    Route("/logout", logout, methods=["POST"]),
]
