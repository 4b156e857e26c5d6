"""How a catalog is derived: SPARQL results in, DuckDB tables, memory-mapped files out. No Python loop per row.

1. Names, sitelinks and statements are taken from the lines that were loaded (`kgstore.catalog_lines`), after an update
   from the new ones only (`kgstore.catalog_rows`). Where these are not known, `Extractor` gets them out of the graph as
   TSV files, a few million rows at a time.
2. DuckDB reads each (``name_raw``, ``link``) and lets go of it. Terms are kept as 64-bit hashes wherever their text is
   not needed: at 100 million different ones, two share a hash with a probability of 0.0003.
3. Entities are numbered by popularity, so that what is asked for often lies together on disk.
4. What follows from entities and edges alone, the topology too (`kgstore.topology_build`), is written while names are
   sorted: neither keeps two cores busy.
5. Tables ``entity``, ``name``, ``edge`` and ``property`` stay in ``catalog.duckdb`` for searches and for SQL; the first
   two and the properties go to files as well, see `kgstore.lines`.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from kgstore import catalog_lines, catalog_properties
from kgstore.catalog_entries import fold
from kgstore.catalog_properties import FIRST_OTHER, Declared
from kgstore.catalog_rows import FOLDER as ROWS
from kgstore.catalog_rows import Asked, Rows, Said
from kgstore.duck import Connection, connect, quote
from kgstore.extract import Extractor
from kgstore.lines import FIELD, number_lines, save_keys
from kgstore.prefixes import WELL_KNOWN
from kgstore.short_names import BARE, FORM, FORMED, listed, packed
from kgstore.topology_build import build_topology
from kgstore.values import speaks_of_a_date

if TYPE_CHECKING:
    from kgstore.graph import Graph
    from kgstore.profile import Profile

_MOST_ROWS = 4_000_000
"""Rows of one TSV file, unless a single predicate has more."""
_SITELINKS = WELL_KNOWN["wikibase"] + "sitelinks"
_WD, _WDS, _GENID = (WELL_KNOWN[prefix] for prefix in ("wd", "wds", "genid"))
_LABEL, _ALIAS, _DESCRIPTION, _COUNT = 0, 1, 2, 3
_PER_KIND = 100
_STATEMENTS = "statements"


def build_catalog(
    graph: Graph,
    profile: Profile,
    path: Path,
    languages: Sequence[str] = ("en",),
    report: Callable[[str], None] = lambda message: None,
    said: Said | None = None,
    then: Callable[[], None] = lambda: None,
    topology: Path | None = None,
) -> dict[str, int]:
    """Derive a catalog from a graph, replacing what is at ``path``.

    :param languages: of names and descriptions, best first
    :param said: the lines that were loaded; the result is the same without them, and takes longer
    :param then: called when all rows are there, or asked for
    :param topology: a folder, for the topology; none is built unless told
    :return: how many entities, properties, names and edges it holds, and how many triples the graph
    """
    folder = path.with_suffix("")
    _remove(path, folder)
    folder.mkdir(parents=True)
    scratch = folder / "scratch"
    try:
        with ExitStack() as parts:
            extract = parts.enter_context(Extractor(graph, scratch))
            db = parts.enter_context(connect(path, scratch / "duckdb"))
            rows = Rows(db, folder / ROWS, profile, said.rows if said else None)
            for name, function in (("fold_any", fold), ("forms_of", packed)):
                db.create_function(name, function, ["VARCHAR"], "VARCHAR")
            counting = extract.submit(catalog_properties.COUNTS)
            names, taken = _name_groups(profile), None
            if said is not None:
                wanted = _wanted(names, profile)
                taken = parts.enter_context(catalog_lines.Taken(db, rows, wanted, said, scratch / "new"))
            counts = catalog_properties.counted(counting.result())
            dated = extract.submit(catalog_properties.time_query(profile)) if profile.wikibase else None
            properties = catalog_properties.declared(graph, profile, counts)
            statements = _statement_group(properties)
            if taken is None or not taken.complete([*names, statements], counts, _ask):
                rows.clear()
                names = [_ask(extract, group) for group in names]
                statements = _ask_statements(extract, statements, properties)
            then()
            _tables(db, rows, names, statements, profile, properties, tuple(languages), report)
            if topology is not None:
                report("building the topology")
            report("sorting names")
            with ThreadPoolExecutor(1) as beside:
                numbered = beside.submit(_write_numbered, db.cursor(), profile, properties, folder, topology)
                _write_named(db, properties, dated, folder)
                numbered.result()
            sizes = {**_sizes(db, report), "triples": sum(counts.values())}
            for name in ("fold_any", "forms_of"):
                db.remove_function(name)
            return sizes
    except BaseException:
        _remove(path, folder)
        raise


def _remove(path: Path, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    for one in (path, path.with_name(path.name + ".wal")):
        one.unlink(missing_ok=True)


# -- reading -------------------------------------------------------------------------------------


def select(codes: dict[str, int]) -> str:
    """All triples of some predicates, each predicate as a number: Oxigraph need not look up the text of numbers."""
    values = " ".join(f"(<{predicate}> {code})" for predicate, code in codes.items())
    return f"SELECT ?s ?n ?o {{ VALUES (?p ?n) {{ {values} }} ?s ?p ?o }}"


def _name_groups(profile: Profile) -> list[Asked]:
    asked = [
        {iri: kind * _PER_KIND + at for at, iri in enumerate(dict.fromkeys(iris))}
        for kind, iris in ((_LABEL, profile.label), (_ALIAS, profile.alias), (_DESCRIPTION, profile.description))
    ]
    if profile.wikibase:
        asked[1][_SITELINKS] = _COUNT * _PER_KIND
    return [Asked(f"names{kind}", codes) for kind, codes in enumerate(asked) if codes]


def _statement_group(properties: dict[str, Declared]) -> Asked:
    codes = {one.predicate: number for number, one in enumerate(properties.values()) if one.triples}
    return Asked(_STATEMENTS, codes)


def _wanted(names: list[Asked], profile: Profile) -> dict[str, str]:
    """SQL for whether a predicate belongs to a group, see `catalog_lines.Taken`."""
    named = {one.group: f"q IN ({', '.join(quote(f'<{iri}>') for iri in one.codes)})" for one in names}
    return {**named, _STATEMENTS: catalog_properties.stated(profile)}


def _ask(extract: Extractor, asked: Asked) -> Asked:
    return replace(asked, files=[extract.submit(select(asked.codes))]) if asked.codes else asked


def _ask_statements(extract: Extractor, asked: Asked, properties: dict[str, Declared]) -> Asked:
    """Ask for statements in several files, of `_MOST_ROWS` rows unless a single predicate has more."""
    files, codes, rows = [], {}, 0
    share = min(_MOST_ROWS, sum(one.triples for one in properties.values()) // 2 + 1)
    for number, one in enumerate(properties.values()):
        if one.triples:
            codes[one.predicate], rows = number, rows + one.triples
        if rows >= share:
            files.append(extract.submit(select(codes)))
            codes, rows = {}, 0
    if codes:
        files.append(extract.submit(select(codes)))
    return replace(asked, files=files)


def _tables(
    db: Connection,
    rows: Rows,
    names: list[Asked],
    statements: Asked,
    profile: Profile,
    properties: dict[str, Declared],
    languages: tuple[str, ...],
    report: Callable[[str], None],
) -> None:
    """All that is read of the rows, until entities have their numbers."""
    report("reading names")
    _names(db, rows, names, languages)
    report(f"reading the statements of {len(properties):,} properties")
    _statements(db, rows, statements, profile, properties)
    report("numbering entities")
    _entities(db, profile, properties)


def _names(db: Connection, rows: Rows, asked: list[Asked], languages: tuple[str, ...]) -> None:
    """Table ``name_raw``: subject, its hash, kind, text, language, rank (best language first, then best predicate)."""
    order = ", ".join(quote(tag.lower()) for tag in (*languages, "mul", ""))
    db.execute("""
        CREATE TEMP TABLE name_raw (s VARCHAR, h UBIGINT, kind TINYINT, text VARCHAR, lang VARCHAR, rank INTEGER);
        CREATE TEMP TABLE sitelink (h UBIGINT, n INTEGER);
    """)
    for source in chain.from_iterable(map(rows.parts, asked)):
        db.execute(f"""
            CREATE TEMP TABLE chunk AS
                SELECT *, trim({_tidy(_text('o', 'lang'))}) plain FROM (
                    SELECT s, n, o, CASE WHEN ends_with(o, '"') THEN '' WHEN ends_with(o, '>') THEN NULL
                                         ELSE regexp_extract(o, '"@([A-Za-z0-9-]+)$', 1) END lang
                    FROM {source} WHERE starts_with(s, '<'));
            INSERT INTO sitelink
                SELECT hash(s), coalesce(try_cast(o AS INTEGER), 0) FROM chunk WHERE n = {_COUNT * _PER_KIND};
            INSERT INTO name_raw
                SELECT s, hash(s), n // {_PER_KIND}, plain, coalesce(lang, ''),
                       coalesce(list_position([{order}], lower(coalesce(lang, ''))), {FIRST_OTHER // 20}) * 20
                       + least(n % {_PER_KIND}, 19)
                FROM chunk
                WHERE n < {_COUNT * _PER_KIND} AND NOT starts_with(o, '<') AND plain <> ''
                  AND (n < {_PER_KIND} OR list_contains([{order}], lower(coalesce(lang, ''))));
            DROP TABLE chunk
        """)


def _text(term: str, lang: str) -> str:
    """SQL for the text of a literal as TSV writes it: ``"a \\"b\\""@en``, ``"x"^^<type>``, or bare for numbers."""
    inside = f"""CASE WHEN NOT starts_with({term}, '"') THEN {term}
        WHEN {lang} IS NULL THEN regexp_extract({term}, '^"(.*)"\\^\\^<[^>]*>$', 1, 's')
        WHEN {lang} = '' THEN substr({term}, 2, length({term}) - 2)
        ELSE substr({term}, 2, length({term}) - length({lang}) - 3) END"""
    # chr(1) stands for a backslash in between; one in the text itself becomes a space, as in `_tidy`
    steps = [("chr(1)", "' '")]
    steps += [("'\\\\'", "chr(1)"), ("'\\\"'", "'\"'"), ("'\\n'", "chr(10)"), ("'\\r'", "chr(13)"), ("'\\t'", "chr(9)")]
    bare = f"({inside})"
    for old, new in [*steps, ("chr(1)", "'\\'")]:
        bare = f"replace({bare}, {old}, {new})"
    return f"CASE WHEN contains({term}, '\\') THEN {bare} ELSE ({inside}) END"


def _tidy(text: str) -> str:
    """SQL for a text that fits on one line of a table: control characters become spaces."""
    return f"regexp_replace({text}, '[\\x00-\\x1f\\x7f]+', ' ', 'g')"


def _statements(
    db: Connection, rows: Rows, asked: Asked, profile: Profile, properties: dict[str, Declared]
) -> None:
    """Table ``link`` (property number, hashes of subject and value, kind of value) and ``node`` (IRI, its degree)."""
    db.execute("""
        CREATE TEMP TABLE link (p INTEGER, s UBIGINT, o UBIGINT, kind VARCHAR);
        CREATE TEMP TABLE node (iri VARCHAR, degree BIGINT);
    """)
    string, iri, entity = "'string'", "'entity'", "<"
    if not profile.wikibase:  # as `kgstore.values.untyped_value` reads them
        dated = [number for number, name in enumerate(properties) if speaks_of_a_date(name)]
        string = f"""CASE WHEN regexp_full_match(o, '"\\d{{4}}-\\d\\d-\\d\\d(T[0-9:.]+)?(Z|[+-]\\d\\d:\\d\\d)?"')
            OR list_contains({dated}::INTEGER[], n) AND regexp_full_match(o, '"\\d{{4}}(-\\d\\d)?"')
            THEN 'time' ELSE 'string' END"""
    literal = f"""CASE WHEN NOT starts_with(o, '"')
        THEN CASE WHEN o IN ('true', 'false') THEN 'boolean' ELSE 'quantity' END
        WHEN ends_with(o, '"') THEN {string} WHEN NOT ends_with(o, '>') THEN 'text'
        ELSE CASE regexp_extract(o, '[#/:]([A-Za-z]+)>$', 1)
            WHEN 'dateTime' THEN 'time' WHEN 'date' THEN 'time' WHEN 'gYear' THEN 'time' WHEN 'gYearMonth' THEN 'time'
            WHEN 'DateTime' THEN 'time' WHEN 'Date' THEN 'time'
            WHEN 'decimal' THEN 'quantity' WHEN 'double' THEN 'quantity' WHEN 'integer' THEN 'quantity'
            WHEN 'float' THEN 'quantity' WHEN 'int' THEN 'quantity' WHEN 'long' THEN 'quantity'
            WHEN 'nonNegativeInteger' THEN 'quantity' WHEN 'positiveInteger' THEN 'quantity'
            WHEN 'Number' THEN 'quantity' WHEN 'Integer' THEN 'quantity' WHEN 'Float' THEN 'quantity'
            WHEN 'wktLiteral' THEN 'coordinate' WHEN 'anyURI' THEN 'url' WHEN 'boolean' THEN 'boolean'
            ELSE 'string' END END"""
    if profile.wikibase:
        entity = f"<{_WD}"
        iri = f"""CASE WHEN starts_with(o, '{entity}') THEN 'entity' WHEN starts_with(o, '<{_GENID}') THEN 'unknown'
                       ELSE 'url' END"""
    for source in rows.parts(asked):
        db.execute(f"""
            INSERT INTO link SELECT n, hash(s), hash(o),
                CASE WHEN starts_with(o, '<') THEN {iri} WHEN starts_with(o, '_') THEN 'blank' ELSE {literal} END
            FROM {source};
            INSERT INTO node SELECT iri, sum(degree) FROM (
                SELECT s iri, (starts_with(o, '{entity}'))::INTEGER degree FROM {source} WHERE starts_with(s, '<')
                UNION ALL SELECT o, 1 FROM {source} WHERE starts_with(o, '{entity}')
            ) GROUP BY iri
        """)


# -- deriving ------------------------------------------------------------------------------------


def _entities(db: Connection, profile: Profile, properties: dict[str, Declared]) -> None:
    """Tables ``entity`` and ``edge``; for now ``hashed`` (to number), ``shown`` (label) and ``kind_of``."""
    known = "".join(f"<{iri}>\n" for iri in properties)
    db.execute("CREATE TEMP TABLE property_iri AS SELECT unnest(string_split($iris, chr(10))) iri", {"iris": known})
    db.execute(f"""
        CREATE TEMP TABLE shown AS
            SELECT h, substr(min(chr(33 + rank) || text) FILTER (kind = {_LABEL}), 2) label,
                      substr(min(chr(33 + rank) || text) FILTER (kind = {_DESCRIPTION}), 2) description
            FROM name_raw GROUP BY h;
        CREATE TEMP TABLE numbered AS
            SELECT row_number() OVER (ORDER BY degree + sitelinks DESC, iri) - 1 id, *
            FROM (
                SELECT iri, hash(iri) h, degree, coalesce(any_value(sitelink.n), 0) sitelinks,
                       iri IN (SELECT iri FROM property_iri) property
                FROM (SELECT iri, sum(degree)::BIGINT degree FROM (
                          SELECT * FROM node UNION ALL SELECT DISTINCT s, 0 FROM name_raw WHERE kind = {_LABEL}
                      ) WHERE NOT starts_with(iri, '<{_WDS}') GROUP BY iri) every
                LEFT JOIN sitelink ON sitelink.h = hash(every.iri)
                GROUP BY ALL
            );
        DROP TABLE node; DROP TABLE sitelink;
        CREATE TEMP TABLE hashed AS SELECT h, id, property FROM numbered;
        CREATE TABLE edge AS
            SELECT p, a.id::UINTEGER s, b.id::UINTEGER o FROM link
            JOIN hashed a ON a.h = s JOIN hashed b ON b.h = o
            WHERE kind = 'entity' AND NOT a.property AND NOT b.property;
    """)
    db.execute(f"CREATE TEMP TABLE kind_of AS {_linked(profile.type, properties)}")
    db.execute("""
        CREATE TABLE entity AS
            SELECT id::UINTEGER id, substr(iri, 2, length(iri) - 2) iri, coalesce(label, '') label,
                   coalesce(description, '') description, degree, sitelinks, numbered.property
            FROM numbered LEFT JOIN shown USING (h) ORDER BY id;
        DROP TABLE numbered
    """)


def _linked(predicates: Iterable[str], properties: dict[str, Declared]) -> str:
    """SQL for which entities some predicates link: ``s``, ``o``, each pair once."""
    numbers = {one.predicate: number for number, one in enumerate(properties.values())}
    codes = [numbers[one] for one in predicates if one in numbers]
    return f"SELECT DISTINCT s, o FROM edge WHERE list_contains({codes}::INTEGER[], p)"


def _name_table(db: Connection) -> None:
    """Table ``name``, sorted by folded text, then popularity; each entity once under each folded text.

    Forms that follow from labels (`kgstore.short_names`) come last. What is stated as a name of anything is such a form
    of nothing else, except of a label without its brackets: an Alien goes before "Alien (film)", and both are kept.
    """
    db.execute(f"""
        CREATE TEMP TABLE folded AS
            SELECT CASE WHEN strlen(text) = length(text) AND plain <> '' THEN plain ELSE fold_any(text) END fold,
                   entity, packed
            FROM (SELECT text, id entity, chr(33 + kind) || chr(33 + rank) || text || chr(31) || lang packed,
                         trim(regexp_replace(lower(text), '[^a-z0-9]+', ' ', 'g')) plain
                  FROM name_raw JOIN hashed USING (h) JOIN shown USING (h)
                  WHERE NOT property AND kind <= {_ALIAS} AND (rank < {FIRST_OTHER} OR text = label));
        CREATE TEMP TABLE borne AS
            SELECT fold, folded.entity, min(packed) packed, ln(2 + any_value(degree) + any_value(sitelinks)) weight
            FROM folded JOIN entity ON id = folded.entity WHERE fold <> '' GROUP BY fold, folded.entity;
        CREATE TEMP TABLE form AS
            SELECT fold, entity, min(form) form, any_value(weight) weight
            FROM ({_forms('borne')}) ANTI JOIN borne USING (fold, entity)
            WHERE fold <> '' AND (form.kind = '{BARE}' OR fold NOT IN (SELECT fold FROM borne)) GROUP BY fold, entity;
        CREATE TABLE name AS
            SELECT row_number() OVER () - 1 AS row, fold, text AS name, kind, lang, entity::UINTEGER entity, prior
            FROM (
                SELECT *, round(weight / sum(weight) OVER (PARTITION BY fold, formed), 6) prior
                FROM (SELECT fold, split_part(packed, chr(31), 1)[3:] AS text,
                             CASE packed[1] WHEN '!' THEN 'label' ELSE 'alias' END kind,
                             split_part(packed, chr(31), 2) lang, entity, weight, false formed FROM borne
                      UNION ALL SELECT fold, form.text, form.kind, form.lang, entity, weight, true FROM form)
                ORDER BY fold, formed, entity
            );
        DROP TABLE folded; DROP TABLE borne; DROP TABLE form
    """)


def _forms(names: str) -> str:
    """SQL for the further forms of labels."""
    part = "split_part(one, chr(31), {})".format
    shown = ", ".join(map(quote, listed()))
    return f"""
        SELECT {part(1)} fold, {{'kind': {part(3)}, 'text': {part(2)}, 'lang': lang}} form, entity, weight FROM (
            SELECT unnest(string_split(forms_of(text), '{FORM}')) one, lang, entity, weight
            FROM (SELECT split_part(packed, chr(31), 1)[3:] AS text, split_part(packed, chr(31), 2) lang, entity, weight
                  FROM {names} WHERE packed[1] = '!')
            WHERE regexp_matches(text, {quote(FORMED)}) OR text IN ({shown}))
    """


# -- writing -------------------------------------------------------------------------------------


_SEP = f"chr({ord(FIELD)})"


def _write_named(db: Connection, properties: dict[str, Declared], dated: Future[Path] | None, folder: Path) -> None:
    """What names are needed for: their table, what is said of properties, and the files of both."""
    _name_table(db)
    catalog_properties.measure(db, properties, dated, folder / "properties.jsonl")
    _write_names(db, folder / "names.txt")


def _write_numbered(
    db: Connection, profile: Profile, properties: dict[str, Declared], folder: Path, topology: Path | None
) -> None:
    """What follows from the tables ``entity`` and ``edge`` alone, by a connection of its own."""
    _write_entities(db, profile, properties, folder / "entities.txt")
    if topology is not None:
        build_topology(db, list(properties), folder, topology)
    db.close()


def _write_entities(db: Connection, profile: Profile, properties: dict[str, Declared], path: Path) -> None:
    lists = "SELECT s, string_agg(e.iri, ' ' ORDER BY e.id) iris FROM ({}) JOIN entity e ON e.id = o GROUP BY s"
    types, above = (lists.format(_linked(some, properties)) for some in (profile.type, profile.subclass))
    _copy(db, path, f"""
        SELECT concat_ws({_SEP}, entity.iri, label, description, coalesce(t.iris, ''), coalesce(a.iris, ''), degree,
                         sitelinks)
        FROM entity LEFT JOIN ({types}) t ON t.s = id LEFT JOIN ({above}) a ON a.s = id ORDER BY id
    """)
    _find_by(db, path, "entity", "id", "iri")


def _write_names(db: Connection, path: Path) -> None:
    _copy(db, path, f"""
        SELECT concat_ws({_SEP}, fold, name.kind, name.name, lang, prior, entity.iri)
        FROM name JOIN entity ON entity.id = name.entity ORDER BY row
    """)
    _find_by(db, path, "name", "row", "fold")


def _find_by(db: Connection, path: Path, table: str, number: str, text: str) -> None:
    """The arrays beside a table's file, see `kgstore.lines`."""
    number_lines(path, _count(db, table))
    query = f"SELECT md5_number_lower({text}) k, min({number}) r FROM {table} GROUP BY {text} ORDER BY r"
    found = db.execute(query).fetchnumpy()
    save_keys(path, found["k"], found["r"])


def _sizes(db: Connection, report: Callable[[str], None]) -> dict[str, int]:
    tables = {"entities": "entity", "names": "name", "edges": "edge", "properties": "property"}
    sizes = {name: _count(db, table) for name, table in tables.items()}
    if skipped := _too_long(db):
        sizes["too_long"] = skipped
        report(f"{skipped:,} values longer than 32 MB are not in the catalog")
    return sizes


def _count(db: Connection, table: str) -> int:
    return db.execute(f"SELECT count(*) FROM {table}").fetchall()[0][0]


def _too_long(db: Connection) -> int:
    """How many rows DuckDB left out where it read SPARQL results."""
    found = db.execute("FROM duckdb_tables() WHERE table_name = 'reject_errors'").fetchall()
    return _count(db, "reject_errors") if found else 0


def _copy(db: Connection, path: Path, query: str) -> None:
    options = "FORMAT csv, HEADER false, QUOTE '', ESCAPE '', DELIMITER '\x1e'"
    db.execute(f"COPY ({query}) TO {quote(str(path))} ({options})")
