"""The text of a file that somebody drops on the page: plain text, Markdown, Word, PDF, or a batch of JSON lines.

Word and PDF files come from anywhere and are complicated, so they are read in a process of their own, with little
memory and little time.
"""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from pathlib import PurePath

from kgstore.cli.server.errors import Refused
from kgstore.cli.texts import BATCH, Text, batch_lines
from kgstore.errors import InputError

KINDS = (".txt", ".md", ".docx", ".pdf", *BATCH)
SECONDS, MEMORY = 20, 1 << 30
UNPACKED = 100_000_000
"""Bytes that a Word file may unpack to."""


def texts_of(name: str, data: bytes) -> list[Text]:
    """One text, or all of a batch.

    :param name: of the file; only its ending counts
    :raises Refused: if it is of another kind, or cannot be read
    """
    kind = PurePath(name).suffix.lower()
    if kind not in KINDS:
        raise Refused(415, f"files of this kind are not read: drop one of {', '.join(KINDS)}")
    if kind in BATCH:
        try:
            return batch_lines(data, "the file")
        except InputError as error:
            raise Refused(400, str(error)) from None
    return [Text(_apart(kind, data) if kind in (".docx", ".pdf") else _decoded(data))]


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(400, "the file is not UTF-8: convert it first, for example `iconv -f latin1 -t utf-8`") from None


def _apart(kind: str, data: bytes) -> str:
    command = [sys.executable, "-m", __name__, kind]
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise Refused(400, "the file takes too long to read: save it as plain text") from None
    if done.returncode != 0:
        raise Refused(400, f"the file cannot be read as {kind[1:].upper()}: save it again, or as plain text")
    return done.stdout.decode("utf-8", "replace")


def read_docx(data: bytes) -> str:
    """Paragraphs and the cells of tables, in their order.

    >>> read_docx(b"PK")
    Traceback (most recent call last):
    zipfile.BadZipFile: File is not a zip file
    """
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        if sum(one.file_size for one in packed.infolist()) > UNPACKED:
            raise ValueError("it unpacks to too much")
    import docx
    from docx.table import Table

    found = []
    for block in docx.Document(io.BytesIO(data)).iter_inner_content():
        rows = [[cell.text for cell in row.cells] for row in block.rows] if isinstance(block, Table) else [[block.text]]
        found += [" | ".join(cells) for cells in rows]
    return "\n\n".join(one for one in found if one.strip())


def read_pdf(data: bytes) -> str:
    """The text of all pages; lines of a paragraph are joined as far as the file tells."""
    import pypdf

    pages = [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(data)).pages]
    return "\n\n".join(_joined(page) for page in pages if page.strip())


def _joined(page: str) -> str:
    r"""
    >>> _joined("Ann was born\nin Oslo.\nShe wrote.")
    'Ann was born in Oslo.\nShe wrote.'
    """
    found = ""
    for line in page.splitlines():
        ended = not found or found.endswith((".", "!", "?", ":", "\n")) or not line.strip()
        found += ("\n" if found and ended else " " if found else "") + line.strip()
    return found


def main() -> None:
    """The process: a file on stdin, its text on stdout."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    except ImportError:  # Windows, where only the parent's clock ends it
        pass
    text = {".docx": read_docx, ".pdf": read_pdf}[sys.argv[1]](sys.stdin.buffer.read())
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))


if __name__ == "__main__":
    main()
