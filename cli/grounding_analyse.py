"""``kgstore grounding analyse``"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kgstore.cli.grounding_source import open_graph, open_model, source_options
from kgstore.cli.options import format_option
from kgstore.cli.render import console, echo_json, note, plain, print_table
from kgstore.errors import InputError

if TYPE_CHECKING:
    from kgstore.verifier.grounding.detector import Detector
    from kgstore.verifier.grounding.knowledge import Knowledge
    from kgstore.verifier.grounding.measure import Looked

_BAR = 24


@click.command()
@click.argument("question")
@source_options
@click.option(
    "--topic", "topics", multiple=True, metavar="NAME", help="What the question is about. [default: names found in it]"
)
@click.option(
    "--answer",
    "gold",
    multiple=True,
    metavar="NAME",
    help="A right answer, to which the paths lead. [default: what the model says]",
)
@click.option(
    "--detector",
    "detector_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also say the risk that the answer is wrong; made by `kgstore grounding train`.",
)
@click.option(
    "--layer",
    type=click.IntRange(min=1),
    metavar="N",
    help="Layer whose hidden states SAS is taken of, from 1. [default: the detector's, else the last]",
)
@click.option("--by", type=click.Choice(["layer", "head"]), help="Also print the measures of every layer or head.")
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Draw the triples and the answer, as .svg or .png.",
)
@format_option()
def analyse(
    question: str,
    kg: Path | None,
    triples: Path | None,
    lm: Path,
    number: int,
    tokens: int,
    topics: tuple[str, ...],
    gold: tuple[str, ...],
    detector_file: Path | None,
    layer: int | None,
    by: str | None,
    plot: Path | None,
    fmt: str,
) -> None:
    """Show what a model attends to while it answers one question.

    Prints the triples that the model was shown with the attention that its answer pays to each (mean over layers,
    heads and tokens; what is left goes to the rest of the prompt), and for each token of the answer how close it is to
    the closest triple. Triples between question and answer are marked with a star.

    \b
    Example:
        kgstore grounding analyse "Where was Douglas Adams born?" --kg small.kg --lm model.gguf
    """
    from kgstore.verifier.grounding.measure import Asked, look

    if plot is not None:
        from kgstore.verifier.grounding.pictures import check_plot

        check_plot(plot)
    detector = None
    if detector_file is not None:
        from kgstore.verifier.grounding.detector import load

        detector = load(detector_file)
    with open_graph(kg, triples) as graph:
        model = open_model(lm)
        layer = layer or (detector.layer if detector else model.layers)
        if layer > model.layers:
            raise InputError(f"there is no layer {layer}", f"name one from 1 to {model.layers}")
        found = next(iter(look(model, graph, [Asked("1", question, topics, gold)], number, tokens)))
        if isinstance(found, tuple):
            raise InputError(found[1], "name what it is about with --topic, or ask otherwise")
        risk = None
        if detector is not None:
            if detector.model != lm.name:
                note(f"the detector was trained on answers of {detector.model}: its risk means little for {lm.name}")
            risk = float(detector.risk([found.row()])[0])
        data = _data(found, graph, layer, risk, detector, by)
    if not any(found.graph.path):
        note("no path leads from the question to what the model named: PRD says nothing, without a path it is -1")
    if plot is not None:
        from kgstore.verifier.grounding.pictures import answer_picture

        answer_picture(plot, data)
    if fmt == "json":
        echo_json(data)
        return
    _print(data)


def _data(
    found: Looked, graph: Knowledge, layer: int, risk: float | None, detector: Detector | None, by: str | None
) -> dict[str, Any]:
    mass: dict[Any, float] = {}
    for triple, one in zip(found.graph.triples, found.mass.tolist(), strict=True):
        mass[triple] = mass.get(triple, 0.0) + one
    path = {triple for triple, on in zip(found.graph.triples, found.graph.path, strict=True) if on}
    data: dict[str, Any] = {
        "question": found.asked.question,
        "answer": found.output,
        "prd": found.prd(),
        "sas": found.sas(layer),
        "layer": layer,
        "risk": risk,
        "flagged": None if risk is None or detector is None else risk >= detector.threshold,
        "triples": [
            {"triple": list(graph.words(triple)), "on_path": triple in path, "attention": one}
            for triple, one in mass.items()
        ],
        "tokens": [
            {"text": text, "sas": sas}
            for text, sas in zip(found.tokens[found.begin :], found.alignment[layer - 1].tolist(), strict=True)
        ],
    }
    if by == "layer":
        data["layers"] = [
            {"layer": at + 1, "prd": float(b.mean()), "sas": float(a.mean())}
            for at, (b, a) in enumerate(zip(found.balance, found.alignment, strict=True))
        ]
    if by == "head":
        data["heads"] = [{"layer": at + 1, "prd": one.mean(axis=1).tolist()} for at, one in enumerate(found.balance)]
    return data


def _print(data: dict[str, Any]) -> None:
    out = console()
    out.print(plain(data["question"], "bold"))
    for line in data["answer"].splitlines():
        out.print(plain(f"    {line}"))
    risk = ""
    if data["risk"] is not None:
        risk = f", risk {data['risk']:.2f} ({'flagged' if data['flagged'] else 'not flagged'})"
    out.print(plain(f"PRD {data['prd']:.3f}, SAS {data['sas']:.3f} in layer {data['layer']}{risk}"))
    out.print()
    most = max(one["attention"] for one in data["triples"]) or 1.0
    rows = [
        (
            "*" if one["on_path"] else "",
            f"{one['attention']:.4f}",
            _bar(one["attention"] / most),
            " · ".join(one["triple"]),
        )
        for one in data["triples"]
    ]
    print_table(out, ["path", "attention", "", "triple"], rows, right=["attention"])
    out.print()
    tokens = [(repr(one["text"])[1:-1], f"{one['sas']:.3f}", _bar(one["sas"])) for one in data["tokens"]]
    print_table(out, ["token", "SAS", ""], tokens, right=["SAS"])
    if "layers" in data:
        out.print()
        layers = [(one["layer"], f"{one['prd']:.3f}", f"{one['sas']:.3f}") for one in data["layers"]]
        print_table(out, ["layer", "PRD", "SAS"], layers, right=["layer", "PRD", "SAS"])
    if "heads" in data:
        out.print()
        names = [str(head + 1) for head in range(len(data["heads"][0]["prd"]))]
        heads = [(one["layer"], *(f"{value:.3f}" for value in one["prd"])) for one in data["heads"]]
        print_table(out, ["PRD of layer, head", *names], heads, right=["PRD of layer, head", *names])


def _text(triple: list[str]) -> str:
    return " · ".join(triple)


def _bar(share: float) -> str:
    return "#" * round(_BAR * share)
