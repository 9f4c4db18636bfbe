"""rules.md, *From matches to points*: what a finished match leaves behind, once."""

from collections.abc import Sequence

import pytest

from league.ledger.models import Posting
from league.ledger.policy import Kind
from league.ledger.selectors import balance
from league.ledger.services import PostingDraft, postings_create
from league.results.models import How, Left, Match, MatchStatus, Result, Stint
from league.results.services import match_start
from league.settlement.services import match_settle
from league.shared.errors import DomainError
from league.standings.selectors import standings_of
from league.tournaments.models import FixtureStatus
from tests.factories import build_match, build_players, build_tournament
from tests.league.settlement.four import FOUR, posted, table, tournament_of
from tests.league.settlement.recorded import settle_played

pytestmark = pytest.mark.django_db


def test_a_settled_match_credits_each_seat_by_its_place() -> None:
    match = build_match()
    result = match_settle(match_id=match.pk, **FOUR)
    assert posted(match) == [3, -3, 1, -1]
    assert table(match) == [(1, 3, 1), (2, 1, 1), (3, -1, 1), (4, -3, 1)]
    assert (result.version, result.is_current, result.record) == (1, True, None)


def test_match_and_fixture_are_finished_with_it() -> None:
    match = build_match()
    match_settle(match_id=match.pk, **FOUR)
    match.refresh_from_db()
    assert match.status == MatchStatus.FINISHED
    assert match.finished_at is not None
    assert match.fixture is not None
    assert match.fixture.status == FixtureStatus.FINISHED


def test_a_posting_names_result_stint_and_season() -> None:
    match = build_match()
    result = match_settle(match_id=match.pk, **FOUR)
    for posting in Posting.objects.all():
        assert posting.stint is not None
        assert posting.key == f"result:{result.pk}:v1:stint:{posting.stint.pk}:placement"
        assert posting.season == tournament_of(match).season


def test_settling_again_returns_the_standing_result_and_changes_nothing() -> None:
    match = build_match()
    first = match_settle(match_id=match.pk, **FOUR)
    again = match_settle(match_id=match.pk, **FOUR)
    other = match_settle(
        match_id=match.pk,
        scores=[0, 1, 2, 3],
        places=[4, 3, 2, 1],
        points=[-3, -1, 1, 3],
        record=None,
    )
    assert first == again == other
    assert other.scores == FOUR["scores"]
    assert Result.objects.count() == 1
    assert posted(match) == [3, -3, 1, -1]


@pytest.mark.parametrize(
    ("scores", "places", "points"),
    [
        ([5, 5, 1, 0], [1, 1, 3, 4], [2, 2, -1, -3]),
        ([5, 1, 1, 0], [1, 2, 2, 4], [3, 0, 0, -3]),
        ([5, 3, 1, 1], [1, 2, 3, 3], [3, 1, -2, -2]),
        ([5, 5, 5, 0], [1, 1, 1, 4], [1, 1, 1, -3]),
        ([5, 1, 1, 1], [1, 2, 2, 2], [3, -1, -1, -1]),
        ([1, 1, 1, 1], [1, 1, 1, 1], [0, 0, 0, 0]),
    ],
)
def test_ties_share_truncated_toward_zero_and_need_not_sum_to_zero(
    scores: list[int], places: list[int], points: list[int]
) -> None:
    """Case C4."""
    match = build_match()
    match_settle(match_id=match.pk, scores=scores, places=places, points=points, record=None)
    assert posted(match) == points


def test_partners_win_and_lose_the_stake_together() -> None:
    match = build_match(build_tournament(partners=True))
    match_settle(
        match_id=match.pk,
        scores=[40, -12],
        places=[1, 3, 1, 3],
        points=[3, -3, 3, -3],
        record=None,
    )
    assert posted(match) == [3, -3, 3, -3]


@pytest.mark.parametrize(("seats", "points"), [(2, [3, -3]), (3, [3, 0, -3])])
def test_smaller_tables_post_zeros_too(seats: int, points: list[int]) -> None:
    match = build_match(build_tournament(seats=seats))
    match_settle(
        match_id=match.pk,
        scores=list(range(seats, 0, -1)),
        places=list(range(1, seats + 1)),
        points=points,
        record=None,
    )
    assert posted(match) == points
    assert len(table(match)) == seats


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("places", [1, 4, 2]),
        ("points", [3, -3, 1]),
        ("scores", [10, -33]),
        ("points", [3, -3, 1, 1]),
        ("points", [11, -11, 5, -5]),
        ("places", [1, 2, 3, 4]),
        ("scores", [10.0, -33, -8, -21]),
        ("scores", [True, -33, -8, -21]),
        ("scores", []),
    ],
)
def test_an_outcome_that_does_not_fit_is_refused_before_anything_is_written(
    field: str, value: Sequence[object]
) -> None:
    match = build_match()
    with pytest.raises(DomainError) as refused:
        match_settle(match_id=match.pk, **FOUR | {field: value})
    assert refused.value.code == "outcome"
    assert (Result.objects.count(), Posting.objects.count()) == (0, 0)


def test_a_seat_in_which_nobody_sat_is_refused() -> None:
    match = build_match()
    Stint.objects.filter(match=match, seat=2).delete()
    with pytest.raises(DomainError) as refused:
        match_settle(match_id=match.pk, **FOUR)
    assert refused.value.code == "stints"


def test_a_stint_no_rule_covers_settles_nothing() -> None:
    match = build_match()
    Stint.objects.filter(match=match, seat=2).update(seat=1, number=1, left=Left.DROPPED)
    with pytest.raises(DomainError) as refused:
        match_settle(match_id=match.pk, **FOUR)
    assert refused.value.code == "stints"
    match.refresh_from_db()
    assert match.status == MatchStatus.PLAYING
    assert (Result.objects.count(), Posting.objects.count()) == (0, 0)


def test_a_match_not_begun_and_an_unknown_one_are_refused() -> None:
    match = build_match()
    Match.objects.filter(pk=match.pk).update(status=MatchStatus.WAITING)
    for pk, code in ((match.pk, "match_state"), (0, "no_such_match")):
        with pytest.raises(DomainError) as refused:
            match_settle(match_id=pk, **FOUR)
        assert refused.value.code == code


def test_bots_are_posted_nothing() -> None:
    match = build_match()
    Stint.objects.filter(match=match, seat=0).update(player=None, how=How.BOT)
    match_settle(match_id=match.pk, **FOUR)
    assert posted(match) == [-3, 1, -1]


def test_friendly_matches_post_nothing_and_keep_their_record() -> None:
    terms = build_match()
    friendly = Match.objects.create(ruleset=terms.ruleset, seats=4, stake=3, partners=False)
    players = build_players(4)
    match_start(match=friendly, players=players)
    result = settle_played(friendly)
    result.refresh_from_db()
    assert result.record is not None
    assert result.record["result"]["scores"] == result.scores
    assert Posting.objects.count() == 0


def test_standings_add_up_a_season_and_share_ranks() -> None:
    tournament = build_tournament()
    players = build_players(4)
    for scores, places, points in (
        ([4, 3, 2, 1], [1, 2, 3, 4], [3, 1, -1, -3]),
        ([1, 4, 3, 2], [4, 1, 2, 3], [-3, 3, 1, -1]),
        ([3, 1, 4, 2], [2, 4, 1, 3], [1, -3, 3, -1]),
    ):
        match = build_match(tournament, players)
        match_settle(match_id=match.pk, scores=scores, places=places, points=points, record=None)
    assert table(match) == [(1, 3, 3), (2, 1, 3), (2, 1, 3), (4, -5, 3)]
    names = [row.name for row in standings_of(tournament.season)]
    assert names == [players[place].name for place in (2, 0, 1, 3)]


def test_other_seasons_do_not_count_but_the_career_goes_on() -> None:
    player, *others = build_players(4)
    for _ in range(2):
        match = build_match(players=[player, *others])
        match_settle(match_id=match.pk, **FOUR)
    assert table(match)[0] == (1, 3, 1)
    assert balance(player) == 6


def test_what_belongs_to_no_season_stands_in_no_table() -> None:
    match = build_match()
    match_settle(match_id=match.pk, **FOUR)
    seat = match.stints.get(seat=0)
    assert seat.player_id is not None
    extra = PostingDraft(
        player_id=seat.player_id, kind=Kind.ADJUSTMENT, points=50, key="adjustment:1"
    )
    postings_create(drafts=[extra])
    assert table(match)[0] == (1, 3, 1)
