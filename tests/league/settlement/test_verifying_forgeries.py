"""What a forger leaves behind who keeps every chain, balance and head right is found all the same.

Each test changes one thing in a ledger of one played match with its record, and expects every
sentence that `manage.py ledger verify` says.
"""

import json
from typing import Any

import pytest
from django.db.models import JSONField, Value

from league.accounts.models import Player
from league.ledger.models import Posting
from league.results.models import How, Match, MatchStatus, Result, Stint
from tests.factories import build_match, build_player, build_season
from tests.league.settlement.forger import forge, insert, move
from tests.league.settlement.four import correct
from tests.league.settlement.recorded import settle_played
from tests.league.settlement.verifier import faults_beside_seals as faults
from tests.league.settlement.verifier import verify

pytestmark = pytest.mark.django_db


@pytest.fixture
def result() -> Result:
    """The result of a played match; the ledger holds."""
    result = settle_played(build_match())
    assert result.points == [-3, -1, 3, 1]
    assert "The ledger holds" in verify()
    return result


def player_in(result: Result, seat: int) -> Player:
    player = result.match.stints.select_related("player").get(seat=seat).player
    assert player is not None
    return player


def posting_of(result: Result, seat: int) -> Posting:
    postings = result.postings.select_related("account__player")
    return postings.get(stint__seat=seat, kind="placement")


def where(posting: Posting) -> str:
    return f"posting {posting.pk} of account {posting.account_id}"


def of(result: Result) -> str:
    return f"match {result.match_id}, result {result.version}"


def shown(values: object) -> str:
    return json.dumps(values)


# --- postings without a cause


@pytest.mark.parametrize(
    ("kind", "key"),
    [
        ("adjustment", "adjustment:777"),
        ("award", "award:1:1"),
        ("leaver", "stint:1:leaver"),
        ("placement", "result:999:v1:stint:9:placement"),
        ("placement", "nonsense"),
        ("reversal", "reversal:x"),
        ("reversal", "reversal:999999999999999999"),
        ("reversal", "reversal:99999999999999999999999"),
    ],
)
def test_a_posting_without_a_cause_is_found_though_its_chain_holds(
    result: Result, kind: str, key: str
) -> None:
    posting = insert(player_in(result, 0), kind=kind, key=key, points=5000)
    assert faults() == [f"{where(posting)}: no known cause explains {kind} +5000, key {key}."]


def test_a_posting_that_names_a_result_which_did_not_post_it_is_found(result: Result) -> None:
    stint = result.match.stints.get(seat=0)
    key = f"result:{result.pk}:v2:stint:{stint.pk}:placement"
    facts: dict[str, Any] = {"result": result, "stint": stint, "key": key}
    posting = insert(player_in(result, 0), kind="placement", points=5000, **facts)
    assert faults() == [f"{where(posting)}: no known cause explains placement +5000, key {key}."]


def test_a_reversal_of_what_still_stands_is_found(result: Result) -> None:
    """The loser's points are given back, and the result is the current one."""
    original = posting_of(result, 0)
    key = f"reversal:{original.pk}"
    facts: dict[str, Any] = {"result": result, "stint": original.stint, "key": key}
    posting = insert(player_in(result, 0), kind="reversal", points=3, **facts)
    assert faults() == [f"{where(posting)}: no known cause explains reversal +3, key {key}."]


# --- postings that are not what their cause says


def test_a_posting_moved_into_a_strangers_account_is_found(result: Result) -> None:
    posting, stranger = posting_of(result, 2), build_player()
    move(posting, stranger)
    posting.refresh_from_db()
    assert faults() == [
        f"{where(posting)}: its player: {stranger.pk}, by its cause {player_in(result, 2).pk}."
    ]


def test_a_reversal_moved_into_a_strangers_account_is_found(result: Result) -> None:
    correct(result.match_id, [1, 2, 3, 4])
    stranger, posting = build_player(), Posting.objects.get(kind="reversal", stint__seat=0)
    move(posting, stranger)
    posting.refresh_from_db()
    assert faults() == [
        f"{where(posting)}: its player: {stranger.pk}, by its cause {player_in(result, 0).pk}."
    ]


def test_a_posting_moved_into_another_season_is_found(result: Result) -> None:
    posting, season = posting_of(result, 0), build_season()
    right = posting.season_id
    forge(posting, season=season)
    assert faults() == [f"{where(posting)}: its season: {season.pk}, by its cause {right}."]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"points": 300}, "its points: 300, by its cause 3."),
        ({"kind": "award"}, "its kind: award, by its cause placement."),
        ({"stint": None}, "its stint: None, by its cause {stint}."),
        ({"season": None}, "its season: None, by its cause {season}."),
    ],
    ids=str,
)
def test_a_posting_changed_against_its_cause_is_found(
    result: Result, changes: dict[str, Any], sentence: str
) -> None:
    posting = posting_of(result, 2)
    forge(posting, **changes)
    right = sentence.format(stint=posting.stint_id, season=posting.season_id)
    assert faults() == [f"{where(posting)}: {right}"]


def test_a_posting_cut_from_its_result_is_found(result: Result) -> None:
    """Of a result that someone lost by."""
    posting = posting_of(result, 0)
    forge(posting, result=None)
    assert faults() == [f"{where(posting)}: its result: None, by its cause {result.pk}."]


def test_a_posting_under_another_key_is_found(result: Result) -> None:
    posting = posting_of(result, 0)
    forge(posting, key="result:0:v1:stint:0:placement")
    assert faults() == [
        f"{of(result)}: {posting.key} was not posted.",
        f"{where(posting)}: no known cause explains placement -3, "
        "key result:0:v1:stint:0:placement.",
    ]


# --- stints


def test_a_stint_given_to_somebody_else_is_found(result: Result) -> None:
    """Posting and record still name who sat there."""
    stint, stranger, posting = (
        result.match.stints.get(seat=2),
        build_player(),
        posting_of(result, 2),
    )
    sat = player_in(result, 2)
    Stint.objects.filter(pk=stint.pk).update(player=stranger)
    first, second = faults()
    assert first == f"{where(posting)}: its player: {sat.pk}, by its cause {stranger.pk}."
    assert second.startswith(f"{of(result)}: the record's players of seat 2: ")


def test_a_stint_and_its_posting_given_to_somebody_else_are_found_by_the_record(
    result: Result,
) -> None:
    stranger = build_player()
    Stint.objects.filter(match=result.match, seat=2).update(player=stranger)
    move(posting_of(result, 2), stranger)
    (said,) = faults()
    assert said.startswith(f"{of(result)}: the record's players of seat 2: ")


def test_a_stint_made_a_bots_is_found(result: Result) -> None:
    posting = posting_of(result, 0)
    Stint.objects.filter(match=result.match, seat=0).update(how=How.BOT)
    first, second = faults()
    assert first == f"{where(posting)}: no known cause explains placement -3, key {posting.key}."
    assert second.startswith(f"{of(result)}: the record's players of seat 0: ")


# --- results


def test_points_exchanged_in_result_and_postings_are_found(result: Result) -> None:
    """Scores, places and record say otherwise."""
    exchanged = [3, -1, -3, 1]
    for seat in (0, 2):
        forge(posting_of(result, seat), points=exchanged[seat])
    Result.objects.filter(pk=result.pk).update(points=exchanged)
    assert faults() == [
        f"{of(result)}: the points are [3, -1, -3, 1], from the scores follows [-3, -1, 3, 1].",
        f"{of(result)}: the record's points: [-3, -1, 3, 1], not [3, -1, -3, 1].",
    ]


def test_points_changed_in_the_result_alone_are_found(result: Result) -> None:
    Result.objects.filter(pk=result.pk).update(points=[-3, -1, 3, 2])
    assert faults() == [
        f"{of(result)}: the points are [-3, -1, 3, 2], from the scores follows [-3, -1, 3, 1].",
        f"{where(posting_of(result, 3))}: its points: 1, by its cause 2.",
        f"{of(result)}: the record's points: [-3, -1, 3, 1], not [-3, -1, 3, 2].",
    ]


def test_scores_places_and_points_exchanged_with_postings_are_found_by_the_record(
    result: Result,
) -> None:
    scores = result.scores
    exchanged = [scores[2], scores[1], scores[0], scores[3]]
    for seat, points in ((0, 3), (2, -3)):
        forge(posting_of(result, seat), points=points)
    places = [result.places[seat] for seat in (2, 1, 0, 3)]
    changes = {"scores": exchanged, "places": places, "points": [3, -1, -3, 1]}
    Result.objects.filter(pk=result.pk).update(**changes)
    assert faults() == [
        f"{of(result)}: the record's scores: {shown(scores)}, not {shown(exchanged)}.",
        f"{of(result)}: the record's places: {shown(result.places)}, not {shown(places)}.",
        f"{of(result)}: the record's points: [-3, -1, 3, 1], not [3, -1, -3, 1].",
    ]


def test_scores_changed_alone_are_found_also_where_the_order_stays(result: Result) -> None:
    changed = [score + 1 for score in result.scores]
    Result.objects.filter(pk=result.pk).update(scores=changed)
    assert faults() == [
        f"{of(result)}: the record's scores: {shown(result.scores)}, not {shown(changed)}."
    ]


@pytest.mark.parametrize("scores", [None, 7, {}, "abcd", [], [1, 2, 3], [1.0, 2, 3, 4], [True] * 4])
def test_scores_that_are_none_are_found(result: Result, scores: Any) -> None:
    set_json(result, "scores", scores)
    assert faults() == [
        f"{of(result)}: impossible scores.",
        f"{of(result)}: the record's scores: {shown(result.scores)}, not {shown(scores)}.",
    ]


@pytest.mark.parametrize("places", [None, [1, 1, 1, 1], [4.0, 3, 1, 2], [4, 3, True, 2], [4, 3, 1]])
def test_places_changed_alone_are_found(result: Result, places: Any) -> None:
    set_json(result, "places", places)
    assert faults() == [
        f"{of(result)}: the places are {shown(places)}, from the scores follows [4, 3, 1, 2].",
        f"{of(result)}: the record's places: [4, 3, 1, 2], not {shown(places)}.",
    ]


@pytest.mark.parametrize("points", [None, 7, {}, [], [-3.0, -1, 3, 1], "abcd"])
def test_points_of_another_kind_are_found(result: Result, points: Any) -> None:
    set_json(result, "points", points)
    said = faults()
    right = "[-3, -1, 3, 1]"
    assert f"{of(result)}: the points are {shown(points)}, from the scores follows {right}." in said
    assert f"{of(result)}: the record's points: {right}, not {shown(points)}." in said


def test_another_stake_is_found(result: Result) -> None:
    Match.objects.filter(pk=result.match_id).update(stake=99)
    assert faults() == [
        f"{of(result)}: the points are [-3, -1, 3, 1], from the scores follows [-99, -49, 99, 49].",
        f"{of(result)}: the record's stake: 3, not 99.",
    ]


def test_another_rule_set_is_found(result: Result) -> None:
    Match.objects.filter(pk=result.match_id).update(ruleset={"preset": "aznif", "hands": 5})
    (said,) = faults()
    assert said.startswith(f"{of(result)}: the record's ruleset: ")


@pytest.mark.parametrize("ruleset", [{}, {"preset": "aznif", "hands": 0}, [], "aznif"])
def test_a_rule_set_that_is_none_is_found(result: Result, ruleset: Any) -> None:
    Match.objects.filter(pk=result.match_id).update(ruleset=ruleset)
    (said,) = faults()
    assert said.startswith(f"{of(result)}: the record's ruleset: ")
    assert said.endswith(f", not {json.dumps(ruleset, sort_keys=True)}.")


def test_a_match_set_back_to_playing_is_found(result: Result) -> None:
    Match.objects.filter(pk=result.match_id).update(status=MatchStatus.PLAYING)
    assert faults() == [f"match {result.match_id} has a result and is not finished."]


def test_a_match_made_friendly_explains_no_posting(result: Result) -> None:
    Match.objects.filter(pk=result.match_id).update(fixture=None)
    assert len(faults()) == 4
    assert all("no known cause explains placement" in said for said in faults())


# --- records


def test_a_record_emptied_is_found(result: Result) -> None:
    Result.objects.filter(pk=result.pk).update(record={})
    assert faults() == [f"{of(result)}: its record: the format is 'domino-match/1', not null."]


def test_a_record_with_another_move_is_found(result: Result) -> None:
    record: Any = result.record
    first = record["hands"][0]["moves"][0]
    first["play"] = record["hands"][0]["racks"][first["seat"] - 1][0]
    Result.objects.filter(pk=result.pk).update(record=record)
    (said,) = faults()
    assert said.startswith(f"{of(result)}: its record: hand 1, move 1: ")


def test_the_record_of_another_match_is_found(result: Result) -> None:
    """A whole record that holds by itself: other people, another result."""
    other = settle_played(build_match(), secret=b"x" * 32)
    Result.objects.filter(pk=result.pk).update(record=other.record)
    said = faults()
    assert [sentence.split(": ")[1] for sentence in said] == [
        *(f"the record's players of seat {seat}" for seat in range(4)),
        "the record's scores",
        "the record's places",
        "the record's points",
    ]
    assert all(sentence.startswith(of(result)) for sentence in said)


def test_a_record_that_names_nobody_is_found(result: Result) -> None:
    record: Any = result.record
    del record["players"]
    Result.objects.filter(pk=result.pk).update(record=record)
    (said,) = faults()
    assert said.startswith(f"{of(result)}: the record's players: null, not ")


def test_a_record_of_a_match_that_was_abandoned_is_no_results_record(result: Result) -> None:
    whole: Any = result.record
    record = whole | {"hands": whole["hands"][:1], "result": None, "ended": "abandoned"}
    Result.objects.filter(pk=result.pk).update(record=record)
    assert [sentence.split(": ")[2] for sentence in faults()] == [
        "null, not " + shown(value) + "." for value in (result.scores, result.places, result.points)
    ]


@pytest.mark.parametrize("record", [None, {}, {"format": "domino-match/1"}])
def test_a_correction_with_another_record_is_found(result: Result, record: Any) -> None:
    corrected = correct(result.match_id, [1, 2, 3, 4])
    Result.objects.filter(pk=corrected.pk).update(record=record)
    assert faults() == [f"{of(corrected)}: its record is not the first's."]


def set_json(result: Result, field: str, value: Any) -> None:
    """Write a JSON value into a column that refuses SQL's NULL: JSON's own null is none."""
    Result.objects.filter(pk=result.pk).update(**{field: Value(value, JSONField())})
