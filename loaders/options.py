"""How files are loaded, as a user chooses it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kgstore.loaders.filters import Filters
from kgstore.loaders.sources import MOST_RATIO
from kgstore.profile import Profile


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """
    :param format: of all files; told from their names unless given
    :param profile: what the predicates mean; found out from the data unless told
    :param languages: of names, best first; goes before those of ``filters``
    :param filters: what is kept
    :param vectors: embed every statement
    :param jobs: processes for a Wikidata dump
    :param name: of the KG; that of its folder unless told
    :param resume: continue a load that was killed: what it had finished is not loaded again
    :param embedder: folder of the model that embeds; the built-in one unless told
    :param max_ratio: how many times its size a compressed file may unpack to, see `kgstore.loaders.sources.Source`
    :param replacing: names of sources of the KG whose place the files take: what these say and the files (or another
        source) do not is removed
    :param update: what the KG says already of the entities that the files describe gives way; dumps of Wikidata only
    """

    format: str | None = None
    profile: str | Path | Profile | None = None
    languages: Sequence[str] | None = None
    filters: Filters | None = None
    vectors: bool = True
    jobs: int = 2
    name: str | None = None
    resume: bool = False
    embedder: Path | None = None
    max_ratio: int = MOST_RATIO
    replacing: Sequence[str] = ()
    update: bool = False

    @property
    def kept(self) -> Filters:
        """What is kept, in the languages that were told."""
        filters = self.filters or Filters()
        return filters if self.languages is None else replace(filters, languages=tuple(self.languages))
