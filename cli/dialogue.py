"""What `kgstore shell` does with a line: a word for what is asked and the names, a query, a name, or a text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from kgstore.cli.answers import entity_answer, facts_about, paths_between, search_answer
from kgstore.cli.batch import Settings, verifier_of
from kgstore.cli.entity import show_entity
from kgstore.cli.facts import show_facts
from kgstore.cli.path import show_paths
from kgstore.cli.render import console, count, note, print_pairs, warn
from kgstore.cli.search import show_found
from kgstore.cli.sparql import print_answer
from kgstore.cli.verdicts import print_report
from kgstore.errors import InputError
from kgstore.opening import KG
from kgstore.verifier.pipeline import Verifier
from kgstore.verifier.report.report import report_dict

WORDS = {
    "entity": "entity NAME                names, description, types",
    "facts": "facts NAME [| PROPERTY]    its statements",
    "path": "path NAME -> NAME          the shortest chains of statements",
    "search": "search WORDS               entities by name, statements by meaning",
    "sparql": "sparql QUERY               a query; SELECT, ASK .. may begin the line",
    "verify": "verify TEXT                the claims of a text; any other line is one, too",
    "help": "help                       these lines",
    "quit": "quit                       or Ctrl-D",
}
"""Word that begins a line -> how it is used."""
FACTS, ROWS, HOPS, PATHS = 50, 1_000, 3, 4
NAME = 8
"""Words that a name has at most, where it stands alone."""
_QUERY = re.compile(r"\s*(?:PREFIX|BASE|SELECT|ASK|CONSTRUCT|DESCRIBE)\b.*\{", re.IGNORECASE | re.DOTALL)


@dataclass
class Dialogue:
    """An open KG, and its verifier, which is made when the first text comes."""

    store: KG
    settings: Settings
    detailed: bool = False
    _names: dict[str, None] = field(default_factory=dict)

    @cached_property
    def verifier(self) -> Verifier:
        return verifier_of(self.store, self.settings)

    def answer(self, line: str) -> bool:
        """Print the answer to a line; False if it says to end.

        :raises KgError: if there is no answer; says what to do next
        """
        line = line.strip()
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        match word if word in WORDS else "":
            case "quit":
                return False
            case "help":
                print_pairs(console(), [(about.partition("  ")[0], about.partition("  ")[2].strip())
                                        for about in WORDS.values()])  # fmt: skip
            case "":
                self._other(line)
            case _ if not rest:
                raise InputError(f"{word} of what", f"write {' '.join(WORDS[word].partition('  ')[0].split())}")
            case _:
                self._asked(word, rest)
        return True

    def _asked(self, word: str, rest: str) -> None:
        match word:
            case "entity":
                show_entity(entity_answer(self.store, rest))
            case "facts":
                name, _, prop = rest.partition("|")
                found, shown, more = facts_about(self.store, name.strip(), prop.strip() or None, limit=FACTS)
                show_facts(found, shown, self.store)
                note(count(len(shown), "statement") + (f" of more: {word} {name.strip()} | PROPERTY" if more else ""))
            case "path":
                start, arrow, end = (part.strip() for part in rest.partition("->"))
                if not (arrow and start and end):
                    raise InputError("a path has two ends", "write path NAME -> NAME")
                show_paths(*paths_between(self.store, start, end, HOPS, PATHS), self.store, HOPS)
            case "search":
                show_found(search_answer(self.store, rest), rest)
            case "sparql":
                print_answer(self.store.query(rest, limit=ROWS), "text")
            case "verify":
                self._verify(rest)

    def _other(self, line: str) -> None:
        if not line:
            return
        if _QUERY.match(line):
            self._asked("sparql", line)
        elif len(line.split()) <= NAME and not line.endswith((".", "!", "?")):
            try:
                self._asked("entity", line)
            except InputError as error:
                self._verify(line, error)
        else:
            self._verify(line)

    def _verify(self, text: str, instead: InputError | None = None) -> None:
        """:raises InputError: ``instead`` of a report without claims"""
        report = report_dict(self.verifier.verify(text), self.store)
        if instead is not None and not report["claims"]:
            raise instead
        print_report(report, console(), verbose=self.detailed)
        for notice in report.get("notices", ()):
            warn(notice)

    # -- completion ----------------------------------------------------------------------------------------------------

    def completions(self, before: str) -> Iterable[tuple[str, int]]:
        """What may stand for the end of a line, and how many characters of it that replaces.

        Words at the beginning, names of entities, and of properties behind ``|``.
        """
        word, space, rest = before.partition(" ")
        if not space:
            yield from ((f"{one} ", len(word)) for one in WORDS if word and one.startswith(word))
        if space and word == "facts" and "|" in rest:
            typed = rest.rpartition("|")[2].lstrip()
            named = sorted(one.label for one in self.store.properties().values() if one.subjects)
            yield from ((label, len(typed)) for label in named if label.lower().startswith(typed.lower()))
            return
        if space and word in WORDS and word not in ("verify", "sparql"):
            typed = rest.rpartition("->")[2].lstrip()
        else:
            typed = capitals(before)
        if typed:
            hits = self.store.search(typed)
            yield from ((name, len(typed)) for name in dict.fromkeys(hit.name for hit in hits))


def capitals(text: str) -> str:
    """The name that a line may end in: words with a capital or a digit, and what stands in names between them.

    >>> capitals("She met Douglas Ad"), capitals("born in the University of Cam"), capitals("he is")
    ('Douglas Ad', 'University of Cam', '')
    """
    found = re.search(r"[A-ZÀ-Þ0-9][\w.'’-]*(?: (?:(?:of|the|de|van|von|la) )*[A-ZÀ-Þ0-9][\w.'’-]*)*$", text)
    return found[0] if found else ""


def history_file() -> Path:
    """In the user's state folder; made if need be, for nobody else to read."""
    from platformdirs import user_state_path

    folder = user_state_path("kgstore", appauthor=False)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / "shell_history"
    path.touch(mode=0o600)
    return path
