"""Every parser keeps its promises (`tests.fuzz.targets`) on inputs that are nearly right, and on what fuzzing found."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgstore.errors import InputError, LoadError
from kgstore.loaders.filters import Filters
from kgstore.loaders.protocol import Block, Skipped
from kgstore.loaders.rdf import RdfLoader
from kgstore.loaders.table import TableLoader
from kgstore.prefixes import expand
from kgstore.profile import load
from tests.fuzz import targets

few = settings(max_examples=30, deadline=None)
cell = st.one_of(
    st.sampled_from(["", "Ada", "Q42", "P31", "1931-05-05", "1931", "007", "a|b", "x;y", '"', '"a,b"', "http://a/b"]),
    st.text(alphabet='ab1 ,;"\t|\\@:/\n\r\0é\u2028', max_size=6),
)
heads = st.sampled_from(
    ["s,p,o", "s,p,o,lang,since", "id,name,type,aliases", "id,born:date,boss@entity,x:number", ":ID(A),name,:LABEL",
     ":START_ID,:TYPE,:END_ID,since:int", "source,target,type", "subject,predicate,object,datatype,object_type"]
)  # fmt: skip
tables = st.builds(
    lambda head, body, end: end.join([head, *(",".join(row) for row in body)]).encode("utf-8", "replace"),
    heads, st.lists(st.lists(cell, min_size=1, max_size=5), max_size=6), st.sampled_from(["\n", "\r\n", "\n\n"]),
)  # fmt: skip
value = st.sampled_from(
    ["Q5", "'a'@en", "'a", '"b"', "^1952-03-11T00:00:00Z/11", "^1952-13-41T00:00Z", "+4.5[4,5]Q11573", "+4[1..,2]",
     "@1/2", "@1..2/3", "@99999/1", "True", "a|b", "", "|", "\\|", "'\\", "label", "^", "Q0"]
)  # fmt: skip
edges = st.lists(
    st.tuples(
        st.sampled_from(["", "i1", "i2", "Q42-P69-a"]), st.sampled_from(["Q42", "i1", "ada", "", "Q42-P69-a", "P69"]),
        st.sampled_from(["P69", "label", "alias", "knows", "", "P0"]), value, st.sampled_from(["normal", "", "best"]),
    ),
    max_size=6,
).map(lambda rows: "\n".join("\t".join(row) for row in rows).encode())  # fmt: skip
term = st.sampled_from(
    ["<http://e/a>", "<http://e/ a>", "<a>", "_:b", "_:b.", "_:0123456789abcdef0123456789abcdef", '"x"', '"x"@en',
     '"x"@zh-classical', '"x"@-', '"x', '"\\u12"', '"\\n _:c"', '"1"^^<http://e/t>',
     "12", "#", "a:b", ".", "\0", "\ufffe"]
)  # fmt: skip
triples = st.lists(st.lists(term, max_size=5).map(" ".join), max_size=8).map(
    lambda lines: "\n".join(f"{line} ." if at % 3 else line for at, line in enumerate(lines)).encode()
)
dumps = st.lists(
    st.sampled_from(
        ["[", "]", ",", "{", '{"id":"Q1"},', '{"id":"Q1","claims":[]}', '[{"id":"Q2"},', '{"id":"Q3"}]',
         '{"id":"L1","type":"lexeme"}', '{"id":1}', "[1,null]", "nul",
         '{"id":"Q4","claims":{"P1":[{}]}}', '{"id":"P1","labels":{"en":5}}', "\ufeff", "[[]]"]
    ),
    max_size=6,
).map(lambda lines: "\n".join(lines).encode())  # fmt: skip
toml = st.lists(
    st.sampled_from(
        ['name = "m"', "name = 5", 'base = "skos"', "base = 1", 'label = "ex:a"', 'label = ["ex:a", "rdfs:label"]',
         "label = [1]", 'type = "ex:\\u0001"', 'statement_style = "wikibase"', "[prefixes]",
         'ex = "http://e/"', 'ex = "h p"', "x =", 'end = "Q1"']
    ),
    max_size=6,
).map(lambda lines: "\n".join(lines).encode())  # fmt: skip


@pytest.mark.parametrize("name", targets.TARGETS)
def test_seeds(name):
    for seed in targets.SEEDS[name]:
        targets.TARGETS[name](seed)


def check(target: Callable[[bytes], None], data: st.SearchStrategy[bytes]) -> Callable[[], None]:
    @few
    @given(data)
    def run(data: bytes) -> None:
        target(data)

    return run


test_rows = check(targets.table_rows, tables)
test_tables = check(targets.table, tables)
test_kgtk = check(targets.kgtk, edges)
test_headers = check(targets.header, st.one_of(tables, st.binary(max_size=30)))
test_cells = check(targets.cells, st.one_of(cell.map(str.encode), st.text(max_size=12).map(lambda text: text.encode())))
test_lines_of_rdf = check(targets.ntriples, triples)
test_lines_of_a_dump = check(targets.wikidata_lines, dumps)
test_entities = check(targets.wikidata_document, st.binary(max_size=40))
test_profiles = check(targets.profile_file, toml)
test_packed = check(targets.packed, st.binary(max_size=300))
test_blocks_of_lines = check(targets.lines_of, st.text("ab\n\r", max_size=120).map(str.encode))


def table(tmp_path, name: str, text: str) -> tuple[int, list[str]]:
    (tmp_path / name).write_text(text, encoding="utf-8")
    items = list(TableLoader("kg", "\t" if name.endswith("tsv") else None).read(tmp_path / name, Filters()))
    skipped = [item.reason for item in items if isinstance(item, Skipped)]
    return sum(item.entities for item in items if isinstance(item, Block)), skipped


def test_a_coordinate_of_kgtk_with_two_points_is_skipped(tmp_path):
    edges = "node1\tlabel\tnode2\nQ1\tP625\t@1..2/3\nQ1\tP625\t@1.2/3\n"
    assert table(tmp_path, "a.tsv", edges) == (1, ["row: value is not readable"])


def test_an_edge_of_which_nothing_is_kept_is_not_counted_as_kept(tmp_path):
    assert table(tmp_path, "a.tsv", "node1\tlabel\tnode2\nQ1\tP31\t\nQ1\tP31\tQ5\n")[0] == 1


def test_a_row_that_says_nothing_is_counted(tmp_path):
    assert table(tmp_path, "a.csv", "id\nQ42\nQ43\n") == (2, [])


def test_a_nul_in_a_quoted_cell_of_several_lines_costs_the_line_on_which_it_opens(tmp_path):
    assert table(tmp_path, "a.csv", 'id,note\n1,"a\n\0b"\n2,c\n') == (1, ["row: NUL byte", "row: NUL byte"])


@pytest.mark.parametrize("cell", ["x" * 5_000_000, '"' + "x" * 5_000_000 + '"', '"' + "x, " * 300_000 + '"'])
def test_long_cells_are_kept(tmp_path, cell):
    assert table(tmp_path, "a.csv", f"id,note\n1,{cell}\n2,b\n") == (2, [])


def test_what_a_parser_says_is_one_line(tmp_path):
    (tmp_path / "a.rdf").write_text("x\ny></a>")
    with pytest.raises(LoadError, match="x y") as caught:
        list(RdfLoader("rdfxml").read(tmp_path / "a.rdf", Filters()))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("prefix", ["h\\tp://example.org/", "no iri", ""])
def test_a_prefix_that_is_no_iri_is_refused(tmp_path, prefix):
    path = tmp_path / "own.toml"
    path.write_text(f'label = "ex:title"\n[prefixes]\nex = "{prefix}"\n')
    with pytest.raises(InputError, match=r"own\.toml: the prefix ex stands for .* no IRI"):
        load(path)


def test_a_name_with_a_control_character_is_no_iri():
    with pytest.raises(InputError):
        expand("rdfs:la\x01bel")
