"""What goes wrong with a request, as a status and one line that says what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus

from kgstore.errors import InputError, KgError, QueryStopped, QueryTimeout

GONE = 499
"""As nginx says it: the client went away."""


class Refused(Exception):
    """A request that is not answered.

    :param status: of HTTP
    :param headers: besides the usual ones
    """

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.headers = status, message, headers or {}


class Busy(Refused):
    """As many requests run or wait as may."""

    def __init__(self, waiting: int) -> None:
        super().__init__(429, f"{waiting} requests are waiting: ask again in a moment", {"Retry-After": "2"})


class TimeUp(Refused):
    """It took longer than it may, or nobody waits for it."""

    def __init__(self) -> None:
        super().__init__(504, "it took too long and was stopped: send less text, or raise --timeout")


class UnknownKg(Refused):
    """No such KG is served."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(404, f"no KG is called {name[:100]!r} here: name one of {', '.join(known)}")


def refusal(error: Exception) -> Refused:
    """Any error as a refusal. What is our bug tells nothing of itself to the client."""
    match error:
        case Refused():
            return error
        case QueryStopped():
            return Refused(GONE, str(error))
        case QueryTimeout():
            return Refused(504, str(error))
        case InputError() if error.why.startswith(("the KG has no", "nothing in the KG", "no entity", "no property")):
            return Refused(404, str(error))
        case KgError():
            return Refused(400, str(error))
    return Refused(500, "this is a bug of kgstore: the server's log has the details")


def body(status: int, message: str) -> dict[str, object]:
    """In the form of OpenAI's errors, which clients know; for all endpoints."""
    kind = "server_error" if status >= 500 else HTTPStatus(status).phrase.lower().replace(" ", "_")
    return {"error": {"message": message, "type": kind, "code": status}}
