"""The ledger: append-only, chained, once for each cause."""

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.utils import InternalError, NotSupportedError, ProgrammingError

from league.accounts.models import Player
from league.ledger import chain
from league.ledger.models import Account, Posting
from league.ledger.policy import Kind
from league.ledger.selectors import balance, statement_of
from league.ledger.services import PostingDraft, accounts_lock, postings_create
from tests.at_once import together
from tests.factories import build_player, build_players

REFUSED = (InternalError, NotSupportedError, ProgrammingError)


def draft(player: Player, points: int, key: str) -> PostingDraft:
    return PostingDraft(player_id=player.pk, kind=Kind.PLACEMENT, points=points, key=key)


@pytest.mark.django_db
def test_a_balance_is_the_sum_of_its_postings() -> None:
    one, other = build_players(2)
    postings_create(drafts=[draft(one, 11, "a"), draft(other, -11, "b"), draft(one, -3, "c")])
    assert (balance(one), balance(other), balance(build_player())) == (8, -11, 0)
    assert [posting.career_before for posting in statement_of(one)] == [0, 11]
    account = Account.objects.get(player=one)
    assert (account.count, account.head) == (2, statement_of(one)[1].hash)


@pytest.mark.django_db
def test_each_posting_links_to_the_one_before() -> None:
    player = build_player()
    for number in range(3):
        postings_create(drafts=[draft(player, number, f"key {number}")])
    head = chain.START
    for posting in statement_of(player):
        assert posting.previous == head
        head = chain.link(posting.facts(), head)
        assert posting.hash == head


@pytest.mark.django_db
def test_the_reason_stands_outside_the_chain() -> None:
    player = build_player()
    (posting,) = postings_create(drafts=[draft(player, 1, "a")])
    before = chain.link(posting.facts(), posting.previous)
    posting.reason = "something private"
    assert chain.link(posting.facts(), posting.previous) == before


@pytest.mark.django_db
def test_a_cause_is_posted_once_and_a_refused_posting_leaves_nothing() -> None:
    one, other = build_players(2)
    postings_create(drafts=[draft(one, 11, "a")])
    with pytest.raises(IntegrityError), transaction.atomic():
        postings_create(drafts=[draft(other, 5, "b"), draft(one, 11, "a")])
    assert (balance(one), balance(other)) == (11, 0)
    assert Posting.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ledger_posting SET points = points + 1",
        "UPDATE ledger_posting SET reason = 'x'",
        "DELETE FROM ledger_posting",
    ],
)
def test_update_and_delete_are_refused_even_to_the_owner(statement: str) -> None:
    postings_create(drafts=[draft(build_player(), 11, "a")])
    with (
        pytest.raises(REFUSED, match="Cannot update or delete"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)
    assert Posting.objects.get().points == 11


@pytest.mark.django_db(transaction=True)
def test_two_first_postings_at_once_make_one_account() -> None:
    player = build_player()
    outcomes = together(
        *(
            lambda key=key: postings_create(drafts=[draft(player, 1, key)])
            for key in ("a", "b", "c", "d")
        )
    )
    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    account = Account.objects.get(player=player)
    assert (account.balance, account.count) == (4, 4)
    assert [posting.number for posting in statement_of(player)] == [1, 2, 3, 4]


@pytest.mark.django_db(transaction=True)
def test_postings_to_the_same_accounts_in_opposite_order_do_not_deadlock() -> None:
    players = build_players(6)
    there = [draft(player, 1, f"there:{player.pk}") for player in players]
    back = [draft(player, 1, f"back:{player.pk}") for player in reversed(players)]
    outcomes = together(lambda: postings_create(drafts=there), lambda: postings_create(drafts=back))
    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    assert {balance(player) for player in players} == {2}


@pytest.mark.django_db(transaction=True)
def test_the_same_cause_posted_at_once_counts_once() -> None:
    player = build_player()
    outcomes = together(
        *(lambda: postings_create(drafts=[draft(player, 11, "a")]) for _ in range(3))
    )
    refused = [outcome for outcome in outcomes if isinstance(outcome, IntegrityError)]
    assert len(refused) == 2
    assert balance(player) == 11


@pytest.mark.django_db
def test_a_balance_read_under_the_lock_is_the_one_posted_upon() -> None:
    player = build_player()
    postings_create(drafts=[draft(player, 3001, "a")])
    with transaction.atomic():
        locked = accounts_lock(player_ids=[player.pk, player.pk])
        (posting,) = postings_create(drafts=[draft(player, 0, "b")])
    assert locked[player.pk].balance == posting.career_before == 3001
