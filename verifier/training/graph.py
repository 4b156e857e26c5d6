"""Writes the computation of a BERT encoder as a file that ONNX Runtime reads, without any weights.

    python -m kgstore.verifier.training.graph -o kgstore/minilm.onnx
    python -m kgstore.verifier.training.graph --whole -o kgstore/minilm_whole.onnx
    python -m kgstore.verifier.training.graph --whole --first -o kgstore/minilm_classes.onnx

`kgstore.bert` adds the weights, under the names that stand here. In: the sum of the embeddings of each token, float32
``(texts, length, width)``; out: the vectors of the last layer, of the same shape.

With ``--whole``, products are of whole numbers, which takes half the time: each token's vector is divided by its
largest part and rounded to 8 bits, each column of a matrix to 7, so that sums are exact on every processor (pairs of
products are added in 16 bits where there are no others), and so that a text's result does not hang on its company.

With ``--first``, the last layer is computed for the first token alone, all that a head of classes reads: an eighth less
to do.

What goes around a layer is added by ``Sum``: ONNX Runtime makes one step of ``Add`` and the norm behind it, which takes
five times as long as the two.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from onnx import ModelProto, NodeProto, TensorProto, helper

OPSET, IR = 20, 10
"""The first with GELU; what ONNX Runtime has read since 1.18."""
_MORE = "com.microsoft"
"""Operators that ONNX Runtime has beyond the standard."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Of a BERT; by default that of all-MiniLM-L6-v2.

    :param wide: width of the inner step of a layer
    """

    layers: int = 6
    width: int = 384
    heads: int = 12
    wide: int = 1536
    epsilon: float = 1e-12


@dataclass(slots=True)
class _Writer:
    whole: bool = False
    nodes: list[NodeProto] = field(default_factory=list)
    given: list[TensorProto] = field(default_factory=list)

    def op(self, kind: str, *inputs: str, to: str, cast: int | None = None, **attributes: Any) -> str:
        if cast is not None:
            attributes["to"] = cast
        self.nodes.append(helper.make_node(kind, inputs, [to], name=f"{to}.{kind}", **attributes))
        return to

    def weight(self, name: str, *shape: int, kind: int = TensorProto.FLOAT) -> str:
        tensor = TensorProto(name=name, data_type=kind, dims=shape, data_location=TensorProto.EXTERNAL)
        tensor.external_data.add(key="location", value="given by kgstore.bert")
        self.given.append(tensor)
        return name

    def numbers(self, name: str, *values: int) -> str:
        if all(tensor.name != name for tensor in self.given):
            self.given.append(helper.make_tensor(name, TensorProto.INT64, [len(values)], values))
        return name

    def number(self, name: str, value: float, kind: int = TensorProto.FLOAT) -> str:
        if all(tensor.name != name for tensor in self.given):
            self.given.append(helper.make_tensor(name, kind, [], [value]))
        return name

    def first(self, x: str) -> str:
        """Of each text its first token."""
        begin, behind = self.numbers("begin", 0), self.numbers("behind", 1)
        return self.op("Slice", x, begin, behind, behind, to=f"{x}.first")

    def linear(self, x: str, name: str, inner: int, outer: int) -> str:
        if self.whole:
            product = self.rounded(x, name, inner, outer)
        else:
            product = self.op("MatMul", x, self.weight(f"{name}.weight", inner, outer), to=f"{name}.product")
        return self.op("Add", product, self.weight(f"{name}.bias", outer), to=f"{name}.sum")

    def rounded(self, x: str, name: str, inner: int, outer: int) -> str:
        """The product of both, each in whole numbers of steps of its own."""
        size, most = self.op("Abs", x, to=f"{name}.size"), self.number("most", 127)
        largest = self.op("ReduceMax", size, self.numbers("last", -1), to=f"{name}.largest", keepdims=1)
        some = self.op("Max", largest, self.number("least", 1e-30), to=f"{name}.some")
        steps = self.op("Mul", x, self.op("Div", most, some, to=f"{name}.per_step"), to=f"{name}.steps")
        middle = self.number("middle", 128, TensorProto.UINT8)
        whole = self.op("QuantizeLinear", steps, self.number("one", 1), middle, to=f"{name}.whole")
        weight = self.weight(f"{name}.weight", inner, outer, kind=TensorProto.INT8)
        given = whole, weight, self.number("one", 1), self.weight(f"{name}.step", outer), middle
        product = self.op("MatMulIntegerToFloat", *given, to=f"{name}.columns", domain=_MORE)
        return self.op("Mul", product, self.op("Div", some, most, to=f"{name}.own_step"), to=f"{name}.product")

    def norm(self, x: str, name: str, shape: Shape, to: str) -> str:
        both = (self.weight(f"{name}.{part}", shape.width) for part in ("weight", "bias"))
        return self.op("LayerNormalization", x, *both, to=to, axis=-1, epsilon=shape.epsilon)


def encoder(shape: Shape = Shape(), whole: bool = False, first: bool = False) -> ModelProto:
    """The encoder of a BERT: post-norm layers of attention and GELU (Devlin et al., 2019).

    :param whole: multiply whole numbers
    :param first: of each text only its first token comes out
    """
    made, width = _Writer(whole), shape.width
    split = made.numbers("split", 0, 0, shape.heads, width // shape.heads)
    merge, thirds = made.numbers("merge", 0, 0, width), made.numbers("thirds", width, width, width)
    x = made.norm("x", "first_norm", shape, "first_norm.out")
    for number in range(shape.layers):
        at, last = f"{number}.", number == shape.layers - 1
        parts = [f"{at}{part}" for part in ("query", "key", "value")]
        qkv = made.linear(x, f"{at}qkv", width, 3 * width)
        made.nodes.append(helper.make_node("Split", [qkv, thirds], parts, name=f"{at}Split", axis=-1))
        if first and last:
            parts[0], x = made.first(parts[0]), made.first(x)
        query, key, value = (
            made.op("Transpose", made.op("Reshape", part, split, to=f"{part}.heads"), to=f"{part}.turned", perm=turned)
            for part, turned in zip(parts, ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]), strict=True)
        )
        share = made.op("Softmax", made.op("MatMul", query, key, to=f"{at}scores"), to=f"{at}share", axis=-1)
        mixed = made.op("MatMul", share, value, to=f"{at}mixed")
        mixed = made.op("Transpose", mixed, to=f"{at}mixed.turned", perm=[0, 2, 1, 3])
        attended = made.linear(made.op("Reshape", mixed, merge, to=f"{at}merged"), f"{at}attended", width, width)
        x = made.norm(made.op("Sum", attended, x, to=f"{at}attended.all"), f"{at}norm", shape, f"{at}norm.out")
        wide = made.op("Gelu", made.linear(x, f"{at}wide", width, shape.wide), to=f"{at}gelu")
        narrow = made.op("Sum", made.linear(wide, f"{at}narrow", shape.wide, width), x, to=f"{at}narrow.all")
        x = made.norm(narrow, f"{at}last_norm", shape, "y" if last else f"{at}last_norm.out")
    given, found = (
        helper.make_tensor_value_info(name, TensorProto.FLOAT, ["texts", length, width])
        for name, length in (("x", "length"), ("y", 1 if first else "length"))
    )
    graph = helper.make_graph(made.nodes, "bert", [given], [found], made.given)
    opsets = [helper.make_opsetid("", OPSET), *([helper.make_opsetid(_MORE, 1)] if whole else [])]
    return helper.make_model(graph, opset_imports=opsets, ir_version=IR)


def write(path: Path, shape: Shape = Shape(), whole: bool = False, first: bool = False) -> None:
    path.write_bytes(encoder(shape, whole, first).SerializeToString(deterministic=True))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--whole", action="store_true", help="multiply whole numbers")
    parser.add_argument("--first", action="store_true", help="only the first token of each text comes out")
    given = parser.parse_args(arguments)
    write(given.output, whole=given.whole, first=given.first)


if __name__ == "__main__":
    main()
