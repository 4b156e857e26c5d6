"""SPARQL servers for tests and measurements: Oxigraph's over a KG's own folder, Virtuoso with a copy of the triples.

Each is started on a free port of this machine, and ended with the block. Where a program is not installed,
``missing`` says what to install.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from kgstore.layout import generation_path, read_manifest
from kgstore.store import Store

GRAPH = "urn:kgstore:test"
_LOAD = """
ld_dir('{folder}', 'all.nt', '{graph}');
rdf_loader_run();
DB.DBA.RDF_OBJ_FT_RULE_ADD(null, null, 'All');
DB.DBA.VT_INC_INDEX_DB_DBA_RDF_OBJ();
checkpoint;
select count(*) from DB.DBA.LOAD_LIST where ll_state <> 2 or ll_error is not null;
"""
_INI = """
[Database]
DatabaseFile = virtuoso.db
ErrorLogFile = virtuoso.log
LockFile = virtuoso.lck
TransactionFile = virtuoso.trx
xa_persistent_file = virtuoso.pxa
FileExtend = 200
MaxCheckpointRemap = 2000
[TempDatabase]
DatabaseFile = virtuoso-temp.db
TransactionFile = virtuoso-temp.trx
MaxCheckpointRemap = 2000
[Parameters]
ServerPort = {sql}
DirsAllowed = {folder}
NumberOfBuffers = 170000
MaxDirtyBuffers = 130000
MaxClientConnections = 20
MaxQueryMem = 2G
ThreadsPerQuery = 1
CheckpointInterval = 0
[HTTPServer]
ServerPort = {http}
ServerThreads = 10
MaxKeepAlives = 10
KeepAliveTimeout = 60
EnabledGzipContent = 1
[SPARQL]
ResultSetMaxRows = {rows}
MaxQueryCostEstimationTime = 100000
MaxQueryExecutionTime = {seconds}
DefaultGraph = {graph}
"""


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def oxigraph_program() -> str | None:
    """`oxigraph` of the PyPI package of that name, wherever this Python's packages are."""
    places = [Path(one).parents[2] / "bin" for one in sys.path if one.endswith("site-packages")]
    return shutil.which("oxigraph", path=os.pathsep.join(map(str, [Path(sys.executable).parent, *places])))


def missing(server: str) -> str:
    """What to install for a server, "" where it is there."""
    if server == "oxigraph":
        return "" if oxigraph_program() else "oxigraph's server is not installed: pip install oxigraph"
    there = shutil.which("virtuoso-t") and shutil.which("isql-vt")
    return "" if there else "Virtuoso is not installed: apt-get install virtuoso-opensource"


def wait_for(port: int, process: subprocess.Popen[bytes], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    process.kill()
    raise AssertionError(f"{process.args!r} does not come up")


def start_oxigraph(kg: Path) -> tuple[subprocess.Popen[bytes], str]:
    """Over the graph of a KG, which is only read. :return: the process, and the address that commands take"""
    program, port = oxigraph_program(), free_port()
    assert program is not None
    graph = generation_path(kg, read_manifest(kg).generation) / "graph"
    command = [program, "serve-read-only", "--location", str(graph), "--bind", f"127.0.0.1:{port}"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(port, process)
    return process, f"sparql+http://127.0.0.1:{port}/query"


@contextmanager
def oxigraph(kg: Path) -> Iterator[str]:
    process, url = start_oxigraph(kg)
    try:
        yield url
    finally:
        process.terminate()
        process.wait()


def make_virtuoso(kg: Path, folder: Path) -> None:
    """Fill a folder with a database that holds the triples of a KG, with an index of all texts."""
    folder.mkdir(parents=True)
    with Store(kg) as store:
        store.graph.dump(folder / "all.nt")
    with _virtuoso(folder, 1_000_000, 600) as (sql, _):
        load = _LOAD.format(folder=folder.resolve(), graph=GRAPH)
        command = ["isql-vt", str(sql), "dba", "dba", "VERBOSE=OFF"]
        done = subprocess.run(command, input=load, text=True, capture_output=True)
        if done.returncode or "*** Error" in done.stdout + done.stderr:
            raise AssertionError(done.stdout + done.stderr)
    (folder / "all.nt").unlink()


@contextmanager
def virtuoso(folder: Path, rows: int = 1_000_000, seconds: int = 600) -> Iterator[str]:
    """Over a folder that `make_virtuoso` has filled.

    :param rows: of an answer, at most; more are cut
    :param seconds: for an answer, at most
    """
    with _virtuoso(folder, rows, seconds) as (_, http):
        yield f"sparql+http://127.0.0.1:{http}/sparql"


@contextmanager
def _virtuoso(folder: Path, rows: int, seconds: int) -> Iterator[tuple[int, int]]:
    program, sql, http = shutil.which("virtuoso-t"), free_port(), free_port()
    assert program is not None
    ini = folder / "virtuoso.ini"
    ini.write_text(_INI.format(sql=sql, http=http, folder=folder.resolve(), rows=rows, seconds=seconds, graph=GRAPH))
    (folder / "virtuoso.lck").unlink(missing_ok=True)
    command = [program, "+foreground", "+configfile", ini.name]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(http, process)
        yield sql, http
    finally:
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
