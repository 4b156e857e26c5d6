"""ClaimVer: its scores on cases worked out by hand."""

from __future__ import annotations

from kgstore.verifier.claims import Label
from kgstore.verifier.report.scores import attribution, claim_score, triplets_match
from kgstore.verifier.reproduce.table import Asked, Line, Result

HAND = "by hand"


def scores(asked: Asked) -> Result:
    """Equations 2 to 5."""
    good, open_, bad = Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY
    lines = [
        ("cs, attributable", 2.0, float(claim_score(good, 1))),
        ("cs, extrapolatory with a triplet", 1.0, float(claim_score(open_, 1))),
        ("cs, extrapolatory without", 0.0, float(claim_score(open_, 0))),
        ("cs, no attribution", 0.0, float(claim_score(None, 0))),
        ("cs, contradictory", -1.0, float(claim_score(bad, 1))),
        ("TMS of cosine 0.8 and EPR 1", 0.9, triplets_match(0.8, 1.0)),
        ("KAS of one attributable claim, TMS 0.9", 0.858, attribution([(0.9, claim_score(good, 1))])),
        ("KAS of one contradictory claim, TMS 0.8", 0.083, attribution([(0.8, claim_score(bad, 1))])),
        ("KAS of no claims", 0.5, attribution([])),
    ]
    return Result((HAND, "ours"), tuple(Line(what, (hand, ours)) for what, hand, ours in lines))
