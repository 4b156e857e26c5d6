"""Small pictures of rectangles, lines, dots and words, as SVG or as PNG, without a drawing library."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

import numpy as np

_GLYPHS = """
0 3e5149453e 1 00427f4000 2 7249494946 3 2141494d33 4 1814127f10 5 2745454539 6 3c4a494931 7 4121110907 8 3649494936
9 464949291e a 2054547840 b 7f28444438 c 3844444428 d 384444287f e 3854545418 f 00087e0902 g 18a4a49c78 h 7f08040478
i 00447d4000 j 2040403d00 k 7f10284400 l 00417f4000 m 7c04780478 n 7c08040478 o 3844444438 p fc18242418 q 18242418fc
r 7c08040408 s 4854545424 t 04043f4424 u 3c4040207c v 1c2040201c w 3c4030403c x 4428102844 y 4c9090907c z 4464544c44
. 0000606000 , 0080703000 : 0000140000 ( 001c224100 ) 0041221c00 - 0808080808 % 2313086462
""".split()
_FONT = {name: bytes.fromhex(columns) for name, columns in zip(_GLYPHS[::2], _GLYPHS[1::2], strict=True)}
"""Columns of dots, five a character, the lowest bit on top: a matrix of 5 by 8 as old displays have it."""
_DOT = 2
"""Pixels to a dot of a character; a character is 6 dots wide and stands on the eighth row."""


@dataclass(frozen=True, slots=True)
class Rect:
    """Left, top, width, height in pixels from the upper left; ``fill`` is ``#rrggbb``."""

    x: float
    y: float
    width: float
    height: float
    fill: str


@dataclass(frozen=True, slots=True)
class Line:
    """From one point to another, two pixels thick, in dashes if asked."""

    x1: float
    y1: float
    x2: float
    y2: float
    stroke: str
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Dot:
    """A disc of 5 pixels' radius."""

    x: float
    y: float
    fill: str


@dataclass(frozen=True, slots=True)
class Words:
    """One line of lower-case text; ``x`` is where it starts, its middle or its end, ``y`` its base line."""

    x: float
    y: float
    text: str
    fill: str = "#222222"
    anchor: str = "start"


Shape = Rect | Line | Dot | Words


def svg(shapes: Sequence[Shape], width: int, height: int) -> bytes:
    """The picture as a document of its own, UTF-8."""
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="14">']
    lines += ['<rect width="100%" height="100%" fill="#ffffff"/>', *map(_element, shapes), "</svg>", ""]
    return "\n".join(lines).encode()


def _element(shape: Shape) -> str:
    match shape:
        case Rect(x, y, width, height, fill):
            return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill={quoteattr(fill)}/>'
        case Line(x1, y1, x2, y2, stroke, dashed):
            dashes = ' stroke-dasharray="6 4"' if dashed else ""
            ends = f'x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"'
            return f'<line {ends} stroke={quoteattr(stroke)} stroke-width="2"{dashes}/>'
        case Dot(x, y, fill):
            return f'<circle cx="{x:g}" cy="{y:g}" r="5" fill={quoteattr(fill)}/>'
        case Words(x, y, text, fill, anchor):
            place = f'x="{x:g}" y="{y:g}" fill={quoteattr(fill)} text-anchor={quoteattr(anchor)}'
            return f"<text {place}>{escape(text)}</text>"


def png(shapes: Sequence[Shape], width: int, height: int) -> bytes:
    """The picture as PNG, 8 bits a colour; characters that the font lacks are left blank."""
    pixels = np.full((height, width, 3), 255, dtype=np.uint8)
    for shape in shapes:
        _paint(pixels, shape)
    rows = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], axis=1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def _paint(pixels: np.ndarray, shape: Shape) -> None:
    match shape:
        case Rect(x, y, width, height, fill):
            _fill(pixels, x, y, width, height, fill)
        case Line(x1, y1, x2, y2, stroke, dashed):
            steps = int(max(abs(x2 - x1), abs(y2 - y1))) + 1
            for i, (x, y) in enumerate(zip(np.linspace(x1, x2, steps), np.linspace(y1, y2, steps), strict=True)):
                if not dashed or i % 10 < 6:
                    _fill(pixels, x - 1, y - 1, 2, 2, stroke)
        case Dot(x, y, fill):
            for row in range(-5, 6):
                half = (25 - row * row) ** 0.5
                _fill(pixels, x - half, y + row, 2 * half + 1, 1, fill)
        case Words(x, y, text, fill, anchor):
            left = x - {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * len(text) * 6 * _DOT
            for i, character in enumerate(text):
                for column, bits in enumerate(_FONT.get(character, b"")):
                    for row in (one for one in range(8) if bits >> one & 1):
                        place = left + (6 * i + column) * _DOT, y + (row - 7) * _DOT
                        _fill(pixels, *place, _DOT, _DOT, fill)


def _fill(pixels: np.ndarray, x: float, y: float, width: float, height: float, fill: str) -> None:
    left, top, right, bottom = (max(0, round(one)) for one in (x, y, x + width, y + height))
    pixels[top:bottom, left:right] = tuple(bytes.fromhex(fill[1:]))
