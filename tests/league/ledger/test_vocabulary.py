"""The words of policy and models are the same."""

from league.ledger import models, policy
from league.results.models import How, Left


def test_kinds_of_postings_are_the_policys() -> None:
    assert models.Kind.values == [kind.value for kind in policy.Kind]


def test_stints_begin_and_end_as_the_policy_reads_them() -> None:
    assert How.values == [how.value for how in policy.How]
    assert Left.values == [left.value for left in policy.Left]
