"""Writes the computation of a BERT encoder as a file that ONNX Runtime reads, without any weights.

    python -m kgstore.verifier.training.graph -o kgstore/minilm.onnx

`kgstore.bert` adds the weights, under the names that stand here. In: the sum of the embeddings of each token, float32
``(texts, length, width)``; out: the vectors of the last layer, of the same shape.
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
    nodes: list[NodeProto] = field(default_factory=list)
    given: list[TensorProto] = field(default_factory=list)

    def op(self, kind: str, *inputs: str, to: str, **attributes: Any) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [to], name=f"{to}.{kind}", **attributes))
        return to

    def weight(self, name: str, *shape: int) -> str:
        tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=shape, data_location=TensorProto.EXTERNAL)
        tensor.external_data.add(key="location", value="given by kgstore.bert")
        self.given.append(tensor)
        return name

    def numbers(self, name: str, *values: int) -> str:
        self.given.append(helper.make_tensor(name, TensorProto.INT64, [len(values)], values))
        return name

    def linear(self, x: str, name: str, inner: int, outer: int) -> str:
        product = self.op("MatMul", x, self.weight(f"{name}.weight", inner, outer), to=f"{name}.product")
        return self.op("Add", product, self.weight(f"{name}.bias", outer), to=f"{name}.sum")

    def norm(self, x: str, name: str, shape: Shape, to: str) -> str:
        both = (self.weight(f"{name}.{part}", shape.width) for part in ("weight", "bias"))
        return self.op("LayerNormalization", x, *both, to=to, axis=-1, epsilon=shape.epsilon)


def encoder(shape: Shape = Shape()) -> ModelProto:
    """The encoder of a BERT: post-norm layers of attention and GELU (Devlin et al., 2019)."""
    made, width = _Writer(), shape.width
    split = made.numbers("split", 0, 0, shape.heads, width // shape.heads)
    merge, thirds = made.numbers("merge", 0, 0, width), made.numbers("thirds", width, width, width)
    x = made.norm("x", "first_norm", shape, "first_norm.out")
    for number in range(shape.layers):
        at, last = f"{number}.", number == shape.layers - 1
        parts = [f"{at}{part}" for part in ("query", "key", "value")]
        qkv = made.linear(x, f"{at}qkv", width, 3 * width)
        made.nodes.append(helper.make_node("Split", [qkv, thirds], parts, name=f"{at}Split", axis=-1))
        query, key, value = (
            made.op("Transpose", made.op("Reshape", part, split, to=f"{part}.heads"), to=f"{part}.turned", perm=turned)
            for part, turned in zip(parts, ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]), strict=True)
        )
        share = made.op("Softmax", made.op("MatMul", query, key, to=f"{at}scores"), to=f"{at}share", axis=-1)
        mixed = made.op("MatMul", share, value, to=f"{at}mixed")
        mixed = made.op("Transpose", mixed, to=f"{at}mixed.turned", perm=[0, 2, 1, 3])
        attended = made.linear(made.op("Reshape", mixed, merge, to=f"{at}merged"), f"{at}attended", width, width)
        x = made.norm(made.op("Add", attended, x, to=f"{at}attended.all"), f"{at}norm", shape, f"{at}norm.out")
        wide = made.op("Gelu", made.linear(x, f"{at}wide", width, shape.wide), to=f"{at}gelu")
        narrow = made.op("Add", made.linear(wide, f"{at}narrow", shape.wide, width), x, to=f"{at}narrow.all")
        x = made.norm(narrow, f"{at}last_norm", shape, "y" if last else f"{at}last_norm.out")
    ends = (helper.make_tensor_value_info(name, TensorProto.FLOAT, ["texts", "length", width]) for name in "xy")
    first, second = ends
    graph = helper.make_graph(made.nodes, "bert", [first], [second], made.given)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR)


def write(path: Path, shape: Shape = Shape()) -> None:
    path.write_bytes(encoder(shape).SerializeToString(deterministic=True))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True)
    write(parser.parse_args(arguments).output)


if __name__ == "__main__":
    main()
