"""The match record `domino-match/1` (record.md): written from events, checked by playing it again.

A record comes from anywhere: every value is looked at before it is used, and what does not hold is
an `InvalidRecord` whose sentence names the hand and the move (both counted from 1), never another
error.
"""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from engine.actions import Action, Draw, Pass, Play
from engine.errors import (
    IllegalAction,
    InvalidDeal,
    InvalidRecord,
    InvalidRuleset,
    InvalidTile,
    NotANumber,
    UnreadableRecord,
)
from engine.events import (
    Event,
    HandDealt,
    HandEnded,
    MatchEnded,
    Passed,
    Racks,
    Redeal,
    RedealReason,
    TilePlayed,
    TilesDrawn,
    redeal_to_json,
    texts,
)
from engine.fairness import Shuffle, commitment
from engine.line import End
from engine.match import (
    MatchState,
    Phase,
    Step,
    apply,
    deal_given,
    deal_hand,
    new_match,
)
from engine.rulesets import Ruleset, ruleset_from_json
from engine.shapes import (
    MOST_BYTES,
    Json,
    expect,
    parse_record,
    read_integer,
    read_list,
    read_object,
    read_text,
    read_tiles,
    unlike_number,
)
from engine.tiles import Tile, brief, tile_from_text

__all__ = [
    "FORMAT",
    "MOST_BYTES",
    "MOST_HANDS",
    "Ending",
    "How",
    "Left",
    "check_record",
    "parse_record",
    "record_of",
]

FORMAT = "domino-match/1"
MOST_HANDS = 10_000


class Ending(StrEnum):
    """Why a match has no result."""

    ABANDONED = "abandoned"
    DECISION = "decision"


# --- writing -------------------------------------------------------------------------


def record_of(
    *,
    events: Iterable[Event],
    ruleset: Ruleset,
    seats: int,
    partners: bool,
    stake: int,
    shuffle: Shuffle | None = None,
    ended: Ending | None = None,
) -> Json:
    """Write a match's record from its events since `new_match`.

    With a shuffle the record carries the proof, the secret included: only when the match has ended.
    A match without a result needs `ended`; without it, it counts as abandoned.

    >>> from engine.rulesets import preset
    >>> ruleset = preset("aznif", hands=3)
    >>> record = record_of(events=(), ruleset=ruleset, seats=4, partners=False, stake=3)
    >>> record["hands"], record["result"], record["ended"]
    ([], None, 'abandoned')
    """
    record: Json = {
        "format": FORMAT,
        "ruleset": ruleset.to_json(),
        "seats": seats,
        "partners": partners,
        "stake": stake,
    }
    if shuffle is not None:
        record["proof"] = _proof_of(shuffle)
    record["hands"] = []
    record["result"] = None
    for event in events:
        _write(record, event)
    if record["result"] is None:
        record["ended"] = (ended or Ending.ABANDONED).value
    return record


def _proof_of(shuffle: Shuffle) -> Json:
    return {
        "secret": shuffle.secret.hex(),
        "commitment": shuffle.commitment,
        "contributions": list(shuffle.contributions),
    }


def _write(record: Json, event: Event) -> None:
    hands = record["hands"]
    if isinstance(event, HandDealt):
        hands.append(_hand_of(event))
    elif isinstance(event, HandEnded):
        hands[-1]["outcome"] = _outcome_of(event)
    elif isinstance(event, MatchEnded):
        record["result"] = _result_of(event)
    else:
        hands[-1]["moves"].append(_move_of(event))


def _hand_of(event: HandDealt) -> Json:
    redeals = [redeal_to_json(redeal) for redeal in event.redeals]
    return {
        **({"redeals": redeals} if redeals else {}),
        "racks": [texts(rack) for rack in event.racks],
        "stock": texts(event.stock),
        "starter": event.starter,
        "moves": [],
    }


def _move_of(event: TilePlayed | TilesDrawn | Passed) -> Json:
    move: Json = {"seat": event.seat}
    if isinstance(event, TilesDrawn):
        return {**move, "draw": texts(event.tiles)}
    if isinstance(event, Passed):
        return {**move, "pass": True}
    move["play"] = event.tile.text
    if event.end is not None:
        move["end"] = event.end.value
    return {**move, "scored": event.scored} if event.scored else move


def _outcome_of(event: HandEnded) -> Json:
    outcome: Json = {
        "kind": event.kind.value,
        "seat": event.seat,
        "winner": event.winner,
        "scores": list(event.scores),
        "totals": list(event.totals),
    }
    if event.drafts is None or event.open is None:
        return outcome
    drafts, opened = list(event.drafts), list(event.open)
    return {**outcome, "drafts": drafts, "open": opened, "bank": event.bank}


def _result_of(event: MatchEnded) -> Json:
    parts = {"scores": event.scores, "places": event.places, "points": event.points}
    return {name: list(values) for name, values in parts.items()}


# --- checking ------------------------------------------------------------------------

_HEX = re.compile("[0-9a-f]{64}")
_NEEDED = "format ruleset seats partners stake hands result"
_ALLOWED = "proof ended players"


def check_record(data: object) -> MatchState:
    """Play a record again and give the state it ends in, or raise `InvalidRecord`.

    `data` is parsed JSON (`parse_record`). With a proof, the commitment and every deal and lot must
    follow from the secret; without one, deals must be possible by the rules.

    >>> check_record({"format": "domino-match/2"})
    Traceback (most recent call last):
    engine.errors.InvalidRecord: the format is 'domino-match/1', not 'domino-match/2'
    """
    if isinstance(data, dict):
        _check_size(data.get("hands"))
        expect(data.get("format"), FORMAT, "the format")  # before all that another may have
    record = read_object(data, "a record", _NEEDED, _ALLOWED)
    state = _opened(record)
    shuffle = _shuffle(record["proof"], state.seats) if "proof" in record else None
    hands = read_list(record["hands"], "hands")
    _check_players(record, state.seats)
    ending = _ending(record)
    for number, hand in enumerate(hands, start=1):
        last = number == len(hands)
        state = _HandCheck(number, shuffle, may_stop=last and ending is not None).run(state, hand)
    _check_result(record["result"], state, ending)
    return state


def _check_size(hands: object) -> None:
    if isinstance(hands, list) and len(hands) > MOST_HANDS:
        raise UnreadableRecord(f"a record has at most {MOST_HANDS} hands")


def _opened(record: Json) -> MatchState:
    seats = read_integer(record["seats"], "seats")
    stake = read_integer(record["stake"], "the stake")
    if type(record["partners"]) is not bool:
        raise InvalidRecord(f"partners is true or false, not {brief(record['partners'])}")
    try:
        ruleset = ruleset_from_json(record["ruleset"])
        return new_match(ruleset, seats=seats, partners=record["partners"], stake=stake)
    except InvalidRuleset as error:
        raise _fault_of_ruleset(error, record)(f"the rule set: {error.text}") from None


def _fault_of_ruleset(error: InvalidRuleset, record: Json) -> type[InvalidRecord]:
    if not isinstance(error, NotANumber) or error.field is None:
        return InvalidRecord
    return unlike_number(record["ruleset"].get(error.field))


def _shuffle(value: object, seats: int) -> Shuffle:
    proof = read_object(value, "the proof", "secret commitment contributions")
    for name in ("secret", "commitment"):
        if not _HEX.fullmatch(read_text(proof[name], f"the {name}")):
            raise InvalidRecord(f"the {name} has 64 hex digits in lower case")
    secret = bytes.fromhex(proof["secret"])
    if commitment(secret) != proof["commitment"]:
        raise InvalidRecord("the commitment is not the SHA-256 of the secret")
    return Shuffle(secret, _contributions(proof["contributions"], seats))


def _contributions(value: object, seats: int) -> tuple[str, ...]:
    given = tuple(read_text(text, "a contribution") for text in read_list(value, "contributions"))
    if len(given) != seats:
        raise InvalidRecord(f"there are {seats} contributions, one a seat, not {len(given)}")
    for text in given:
        if not re.fullmatch("[0-9a-fA-F]{0,64}", text):
            raise InvalidRecord(f"a contribution has at most 64 hex digits, not {brief(text)}")
    return given


def _ending(record: Json) -> Ending | None:
    if "ended" not in record:
        return None
    value = record["ended"]
    if not isinstance(value, str) or value not in list(Ending):
        raise InvalidRecord(f"ended is {' or '.join(Ending)}, not {brief(value)}")
    return Ending(value)


def _check_result(value: object, state: MatchState, ending: Ending | None) -> None:
    if ending is not None:
        if state.phase is Phase.OVER:
            raise InvalidRecord(f"the match was played to its end, so it is not ended as {ending}")
        if value is not None:
            raise InvalidRecord(f"a match ended as {ending} has no result")
        return
    if state.result is None:
        raise InvalidRecord("the match is not over after the last hand of the record")
    result = read_object(value, "the result", "scores places points")
    for name, right in state.result._asdict().items():
        expect(result[name], list(right), f"the result's {name}")


class How(StrEnum):
    """How a stint began (record.md, `players`)."""

    START = "start"
    SUBSTITUTE = "substitute"
    BOT = "bot"


class Left(StrEnum):
    """How a stint ended before the match did."""

    VOLUNTARY = "voluntary"
    DROPPED = "dropped"


def _check_players(record: Json, seats: int) -> None:
    """Look at who sat where: shape and order alone, for the engine knows no people."""
    if "players" not in record:
        return
    players = read_list(record["players"], "players")
    if len(players) != seats:
        raise InvalidRecord(f"players lists the stints of {seats} seats, not {len(players)}")
    for seat, stints in enumerate(players):
        begun = [_begun(stint) for stint in read_list(stints, "the stints of a seat")]
        if not begun or begun[0] != 0 or begun != sorted(begun):
            raise InvalidRecord(f"the stints of seat {seat} do not follow each other from hand 0")
        if begun[-1] > len(record["hands"]):
            raise InvalidRecord(f"nobody sat down in seat {seat} at hand {begun[-1]}")


def _begun(value: object) -> int:
    """Check a stint and give the hand from which on it lasted."""
    stint = read_object(value, "a stint", "id name from_hand how left")
    _check_stint(stint)
    return read_integer(stint["from_hand"], "a stint's from_hand")


def _check_stint(stint: Json) -> None:
    if stint["id"] is not None:
        read = read_text if isinstance(stint["id"], str) else read_integer
        read(stint["id"], "a stint's id")
    read_text(stint["name"], "a stint's name")
    for name, known in (("how", list(How)), ("left", [*Left, None])):
        value = stint[name]
        if not isinstance(value, str | None) or value not in known:
            raise InvalidRecord(f"a stint's {name} cannot be {brief(value)}")


class _HandCheck:
    """The check of one hand; `number` counts from 1. `may_stop`: it may be unfinished."""

    def __init__(self, number: int, shuffle: Shuffle | None, *, may_stop: bool) -> None:
        self.number = number
        self.shuffle = shuffle
        self.may_stop = may_stop
        self.move: int | None = None

    def run(self, state: MatchState, value: object) -> MatchState:
        try:
            return self._run(state, value)
        except InvalidRecord as error:
            raise type(error)(error.reason, self.number, self.move) from None
        except (InvalidDeal, IllegalAction) as error:
            raise InvalidRecord(error.text, self.number, self.move) from None

    def _run(self, state: MatchState, value: object) -> MatchState:
        hand = read_object(value, "a hand", "racks stock starter moves", "redeals outcome")
        step = self._dealt(state, hand)
        for self.move, move in enumerate(read_list(hand["moves"], "moves"), start=1):
            if step.state.phase is not Phase.PLAY:
                raise InvalidRecord("the hand is over before this move")
            step = _moved(step.state, move)
        self.move = None
        self._check_outcome(hand, step)
        return step.state

    def _dealt(self, state: MatchState, hand: Json) -> Step:
        redeals = [
            _read_redeal(value, f"redeal {number}")
            for number, value in enumerate(read_list(hand.get("redeals", []), "redeals"), start=1)
        ]
        racks, stock = _read_tiles(hand, "the deal")
        starter = read_integer(hand["starter"], "the starter")
        step = deal_given(state, racks, stock, starter, redeals)
        if self.shuffle is not None:
            _check_proved(step.events[0], deal_hand(state, self.shuffle).events[0])
        return step

    def _check_outcome(self, hand: Json, step: Step) -> None:
        ended = next((event for event in step.events if isinstance(event, HandEnded)), None)
        if ended is None:
            if "outcome" in hand or not self.may_stop:
                raise InvalidRecord("the hand is not over after its last move")
            return
        if "outcome" not in hand:
            raise InvalidRecord("the hand is over and has no outcome")
        right = _outcome_of(ended)
        outcome = read_object(hand["outcome"], "the outcome", " ".join(right))
        for name, value in right.items():
            expect(outcome[name], value, f"the outcome's {name}")


def _read_tiles(deal: Json, what: str) -> tuple[Racks, tuple[Tile, ...]]:
    racks = enumerate(read_list(deal["racks"], f"the racks of {what}"))
    return (
        tuple(read_tiles(rack, f"the rack of seat {seat} of {what}") for seat, rack in racks),
        read_tiles(deal["stock"], f"the stock of {what}"),
    )


def _read_redeal(value: object, what: str) -> Redeal:
    redeal = read_object(value, what, "racks stock reason")
    reason = read_text(redeal["reason"], f"the reason of {what}")
    if reason not in list(RedealReason):
        known = ", ".join(RedealReason)
        raise InvalidRecord(f"the reason of {what} is one of {known}, not {brief(reason)}")
    return Redeal(*_read_tiles(redeal, what), RedealReason(reason))


def _check_proved(given: Event, proved: Event) -> None:
    """Hold a deal, those refused before it and its lot against what follows from the secret."""
    assert isinstance(given, HandDealt)
    assert isinstance(proved, HandDealt)
    pairs = zip(given.redeals, proved.redeals, strict=False)
    for number, (one, other) in enumerate(pairs, start=1):
        _check_tiles(one, other, f" of redeal {number}")
    expect(len(given.redeals), len(proved.redeals), "the number of redeals from the secret")
    _check_tiles(given, proved, "")
    if given.starter != proved.starter:
        raise InvalidRecord(f"the lot gives seat {proved.starter} as starter, not {given.starter}")


def _check_tiles(given: HandDealt | Redeal, proved: HandDealt | Redeal, which: str) -> None:
    for seat, rack in enumerate(given.racks):
        if rack != proved.racks[seat]:
            raise InvalidRecord(f"the rack of seat {seat}{which} does not follow from the secret")
    if given.stock != proved.stock:
        raise InvalidRecord(f"the stock{which} does not follow from the secret")


def _moved(state: MatchState, value: object) -> Step:
    move = read_object(value, "a move", "seat", "play end scored draw pass")
    expect(read_integer(move["seat"], "the seat"), state.turn, "the seat on turn")
    step = apply(state, _action(move))
    done = step.events[0]
    if isinstance(done, TilesDrawn):
        expect(move["draw"], texts(done.tiles), "what is drawn")
    if isinstance(done, TilePlayed):
        _check_scored(move, done.scored)
    return step


def _check_scored(move: Mapping[str, Any], scored: int) -> None:
    if "scored" in move and not scored:
        read_integer(move["scored"], "scored")
        raise InvalidRecord("the placement scores nothing, so it has no scored")
    if scored:
        expect(move.get("scored"), scored, "what the placement scores")


def _action(move: Json) -> Action:
    kinds = [name for name in ("play", "draw", "pass") if name in move]
    if len(kinds) != 1:
        raise InvalidRecord("a move is one of play, draw and pass")
    if kinds[0] == "play":
        return _play(move)
    read_object(move, f"a {kinds[0]}", f"seat {kinds[0]}")
    if kinds[0] == "pass":
        expect(move["pass"], True, "pass")
        return Pass()
    read_tiles(move["draw"], "a draw")
    return Draw()


def _play(move: Json) -> Play:
    try:
        tile = tile_from_text(move["play"])
    except InvalidTile as error:
        raise InvalidRecord(error.text) from None
    if "end" not in move:
        return Play(tile)
    if move["end"] not in ("L", "R"):
        raise InvalidRecord(f"an end is L or R, not {brief(move['end'])}")
    return Play(tile, End(move["end"]))
