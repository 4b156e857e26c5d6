"""``kgstore ablate``"""

from __future__ import annotations

from pathlib import Path

import click

from kgstore.cli.batch import Settings, open_verifier
from kgstore.cli.options import (
    calibration_option,
    embedder_option,
    extractor_options,
    format_option,
    judge_option,
    kg_option,
    reader_option,
    with_settings,
)
from kgstore.cli.progress import spinning
from kgstore.cli.render import console, echo_json, print_table
from kgstore.cli.scores import (
    between,
    half_option,
    labelled_argument,
    labelled_rows,
    number,
    print_scores,
    signed,
    spaced,
)
from kgstore.verifier.measure.ablation import HEADLINE, Ablated
from kgstore.verifier.measure.ablation import ablate as without_each

ACCUSED = "false_accusations"


@click.command()
@labelled_argument
@kg_option
@half_option
@with_settings(extractor_options, judge_option, reader_option, calibration_option, embedder_option)
@format_option()
def ablate(
    labelled: Path,
    settings: Settings,
    half: str | None,
    fmt: str,
) -> None:
    """Measure what each tier of the verdicts earns.

    Decides the claims of LABELLED (the same file as for `kgstore evaluate`) with all tiers, and again without each of
    those that gave a verdict. A tier that is switched off finds nothing: another reading or tier may decide instead,
    else the verdict is extrapolatory, by "rule:off". Shown is what the measures become without it. A tier that only
    ever leaves claims undecided can still earn something, where its silence keeps another reading from accusing.

    \b
    Example:
        kgstore ablate claims.jsonl --kg small.kg --half report
    """
    gold = labelled_rows(labelled, half)
    with open_verifier(settings) as (verifier, _), spinning() as say:
        scores, tiers = without_each(gold, verifier, say)
    if fmt == "json":
        echo_json({**scores.to_dict(), "half": half, "without": [one.to_dict() for one in tiers]})
        return
    out = console()
    print_scores(scores, out)
    out.print()
    headline = HEADLINE[scores.kind]
    numbers = [spaced(headline), "change", spaced(ACCUSED), "change ", "broke", "mended"]
    header = ["without", "verdicts", *numbers[:2], "95 % interval", *numbers[2:]]
    print_table(out, header, [_row(one, headline) for one in tiers], right=["verdicts", *numbers])


def _row(one: Ablated, headline: str) -> tuple[object, ...]:
    main, accused = (one.without.differences[name] for name in (headline, ACCUSED))
    return (
        one.tier,
        one.verdicts,
        number(main.after),
        signed(main.change),
        between((main.low, main.high), True),
        number(accused.after),
        signed(accused.change),
        len(one.without.broke),
        len(one.without.mended),
    )
