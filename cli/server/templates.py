"""The templates: those of `kgstore.cli.html`, and the server's own."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, FileSystemLoader
from starlette.requests import Request
from starlette.responses import HTMLResponse

from kgstore.cli.html.page import environment, report_style

HERE = Path(__file__).parent
SCRIPTS = ("page.js", "query.js")


def rendered(request: Request, name: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page, with what all pages know: the KGs, the one that is meant, whether somebody is signed in."""
    settings = request.app.state.desks.settings
    kgs = list(settings.named)
    kg = request.query_params.get("kg", "")
    shared = {"kgs": kgs, "kg": kg if kg in kgs else kgs[0], "signed": bool(settings.token), "path": request.url.path}
    return HTMLResponse(_environment().get_template(name).render(**{**shared, **values}), status)


def fragment(name: str, **values: Any) -> str:
    """A part of a page."""
    return _environment().get_template(name).render(**values)


@cache
def style() -> str:
    """The report's style and what the live page adds."""
    return report_style() + (HERE / "static" / "live.css").read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    shared = environment().loader
    assert shared is not None
    return environment().overlay(loader=ChoiceLoader([FileSystemLoader(HERE / "html"), shared]))
