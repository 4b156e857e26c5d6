"""What must hold of every report, whatever the text."""

from __future__ import annotations

from kgstore.store import Store
from kgstore.verifier.claims import Label, Role
from kgstore.verifier.decide.combine import UNSURE
from kgstore.verifier.report.report import Report


def check_report(report: Report, store: Store) -> None:
    """Spans are exact, evidence is in the KG and decides the label, probabilities are probabilities."""
    text = report.text
    for verdict in report.verdicts:
        claim = verdict.claim
        assert 0 <= claim.start < claim.end <= len(text)
        assert text[claim.start : claim.end] == claim.text
        for mention in (claim.head, claim.tail):
            assert 0 <= mention.start <= mention.end <= len(text)
            assert text[mention.start : mention.end].strip() == mention.text
            if mention.refers_to is not None:
                start, end = mention.refers_to
                assert 0 <= start < end <= len(text)
        assert abs(sum(verdict.probabilities) - 1) < 1e-6
        assert all(0 <= share <= 1 for share in verdict.probabilities)
        share = verdict.probabilities[list(Label).index(verdict.label)]
        withheld = (verdict.why_not or "").startswith(UNSURE)
        assert verdict.confidence == share and (share == max(verdict.probabilities) or withheld)
        roles = {one.role for one in verdict.evidence}
        if verdict.label is Label.ATTRIBUTABLE:
            assert Role.SUPPORTS in roles and Role.CONTRADICTS not in roles
        elif verdict.label is Label.CONTRADICTORY:
            assert Role.CONTRADICTS in roles and verdict.reason
        else:
            assert roles <= {Role.RELATED}
        statements = [one.statement for one in verdict.evidence] + [one for path in verdict.paths for one in path]
        for statement in statements:
            assert statement in store.statements(statement.subject.value, statement.predicate.value), statement
            if verdict.label is not Label.EXTRAPOLATORY:
                assert statement.rank != "deprecated"


def told(report: Report) -> list[tuple]:
    """All that a report says, without how long it took."""
    return [
        (one.claim, one.label, one.probabilities, one.method, one.evidence, one.paths, one.correction, one.why_not)
        for one in report.verdicts
    ]
