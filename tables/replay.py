"""A finished match, step by step: from its public record to hands and moves in words.

Everything comes from the `domino-match/1` record (record.md): moves that a referee took back are
not in it. Hands and moves are counted from 1, move 0 is the deal; seats are counted from 0.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.results.models import How, Match
from league.results.selectors import result_of
from league.shared.errors import DomainError
from tables.models import Table
from tables.selectors import record_of_table
from tables.wording import board_rules
from tables.words import board_words

Record = dict[str, Any]


def record_of_match(match: Match) -> Record:
    """Return a finished match's record, played at a table here or entered from paper.

    Raises `DomainError` with code `match_not_finished` or `no_record`.
    """
    table = Table.objects.filter(match=match).first()
    if table is not None:
        return record_of_table(table)
    result = result_of(match)
    if result is None or result.record is None:
        raise DomainError("no_record", _("There is no record of this match."))
    record: Record = result.record
    return record


@dataclass(frozen=True, slots=True)
class Moment:
    """What a link names: a hand, a move in it, and the seat that looks; None: all tiles open."""

    hand: int
    move: int
    seat: int | None

    @classmethod
    def asked(cls, record: Record, asked: dict[str, str]) -> "Moment":
        """Read an address's `hand`, `move` and `seat`; what cannot be is the nearest that can."""
        hands = record["hands"]
        hand = _within(asked.get("hand", ""), 1, max(1, len(hands)), 1)
        most = len(hands[hand - 1]["moves"]) if hands else 0
        seat = _within(asked.get("seat", ""), -1, record["seats"] - 1, -1)
        return cls(hand, _within(asked.get("move", ""), 0, most, 0), None if seat < 0 else seat)


def _within(text: str, least: int, most: int, otherwise: int) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > 6:
        return otherwise
    return min(max(int(text), least), most)


@dataclass(frozen=True, slots=True)
class MoveLine:
    """A move in words; `scored` is what the placement scored, 0 mostly."""

    number: int
    seat: int
    text: str
    scored: int


@dataclass(frozen=True, slots=True)
class SideLine:
    """A side after a hand: what the hand changed, the total, and with closed accounts the draft."""

    name: str
    scored: int
    total: int
    draft: int | None
    is_open: bool | None


@dataclass(frozen=True, slots=True)
class HandLines:
    """A hand in words: how it was dealt, every move, and what came of it (nothing: unfinished)."""

    number: int
    redeals: tuple[str, ...]
    starter: str
    racks: tuple[tuple[str, str], ...]
    stock: str
    moves: tuple[MoveLine, ...]
    ending: str
    sides: tuple[SideLine, ...]
    bank: int


def names_of(record: Record, hand: int) -> list[str]:
    """Return who sat in each seat in a hand (from 1): of several the last to have sat down."""
    seats = record.get("players")
    if seats is None:
        return [_("Seat %(n)s") % {"n": seat + 1} for seat in range(record["seats"])]
    sat = [_stint_in(stints, hand - 1) for stints in seats]
    robots = [seat for seat, stint in enumerate(sat) if stint["how"] == How.BOT]
    return [
        _robot_name(robots, seat) if seat in robots else str(stint["name"])
        for seat, stint in enumerate(sat)
    ]


def _stint_in(stints: Sequence[dict[str, Any]], hand: int) -> dict[str, Any]:
    return [each for each in stints if each["from_hand"] <= hand][-1]


def _robot_name(robots: Sequence[int], seat: int) -> str:
    """Say which robot sits in a seat; of several each has its number, as on the board."""
    return f"{_('Robot')} {robots.index(seat) + 1}" if len(robots) > 1 else _("Robot")


def hand_lines(record: Record, number: int) -> HandLines:
    """Return a hand (from 1) of a record in words."""
    hand, names = record["hands"][number - 1], names_of(record, number)
    outcome = hand.get("outcome")
    racks = ((name, " ".join(rack)) for name, rack in zip(names, hand["racks"], strict=True))
    return HandLines(
        number=number,
        redeals=tuple(_redeal_line(redeal["reason"]) for redeal in hand.get("redeals", [])),
        starter=names[hand["starter"]],
        racks=tuple(racks),
        stock=" ".join(hand["stock"]),
        moves=tuple(_move_lines(hand["moves"], names)),
        ending="" if outcome is None else _ending(outcome, names),
        sides=() if outcome is None else tuple(_side_lines(record, outcome, names)),
        bank=0 if outcome is None else outcome.get("bank", 0),
    )


def _redeal_line(reason: str) -> str:
    reasons = {
        "suit": _("somebody had five or more tiles of one number"),
        "doubles": _("somebody had five or more doubles"),
        "opponents": _("one side had no tile of the opening number"),
        "no-double": _("nobody had a double"),
    }
    return reasons[reason]


def _move_lines(moves: Sequence[dict[str, Any]], names: Sequence[str]) -> Iterator[MoveLine]:
    for number, move in enumerate(moves, start=1):
        text = _move_text(move, names[move["seat"]])
        yield MoveLine(number, move["seat"], text, move.get("scored", 0))


def _move_text(move: dict[str, Any], name: str) -> str:
    if "pass" in move:
        return _("%(name)s passes.") % {"name": name}
    if "draw" in move:
        tiles = {"name": name, "tiles": " ".join(move["draw"])}
        return _("%(name)s draws %(tiles)s.") % tiles
    values = {"name": name, "tile": move["play"]}
    if "end" not in move:
        return _("%(name)s opens with %(tile)s.") % values
    if move["end"] == "L":
        return _("%(name)s plays %(tile)s on the left.") % values
    return _("%(name)s plays %(tile)s on the right.") % values


def _ending(outcome: dict[str, Any], names: Sequence[str]) -> str:
    values = {"name": names[outcome["seat"]]}
    if outcome["kind"] == "out":
        return _("%(name)s went out.") % values
    return _("The hand is locked; %(name)s placed the last tile.") % values


def _side_lines(
    record: Record, outcome: dict[str, Any], names: Sequence[str]
) -> Iterator[SideLine]:
    drafts, opened = outcome.get("drafts"), outcome.get("open")
    for side, scored in enumerate(outcome["scores"]):
        seats = names[side::2] if record["partners"] else [names[side]]
        yield SideLine(
            name=" + ".join(seats),
            scored=scored,
            total=outcome["totals"][side],
            draft=None if drafts is None else drafts[side],
            is_open=None if opened is None else opened[side],
        )


def replay_words() -> dict[str, str]:
    """Return the words of the replay's script that the board's do not have, by key."""
    return {
        # Translators: whose tiles a replay shows
        "replay_open": _("All tiles open"),
        "replay_seat": _("As {name} saw it"),
        "replay_step": _("Move {n} of {total}"),
        "replay_dealt": _("The tiles are dealt. {name} starts."),
        "replay_drew": _("{name} drew {tiles}."),
        # Translators: the ends of the line count 5, 10, 15 or 20, which scores
        "replay_scored": _("The ends count {n}: that scores."),
        "replay_move": _("Move"),
        # Translators: whose tiles the replay shows
        "replay_looks": _("Whose tiles are open"),
        "replay_first": _("To the deal"),
        "replay_back": _("One move back"),
        "replay_on": _("One move on"),
        "replay_last": _("To the end of the hand"),
        "replay_failed": _("The record could not be read. Reload the page to try again."),
        **_verify_words(),
    }


def _verify_words() -> dict[str, str]:
    return {
        "verify_commitment": _("Fingerprint of the secret"),
        "verify_deal": _("Deal of hand {n}"),
        "verify_redeal": _("Refused deal {attempt} of hand {n}"),
        # Translators: the lot decides who starts a hand
        "verify_lot": _("Lot for the starter of hand {n}"),
        "verify_holds": pgettext("a check", "holds"),
        "verify_fails": pgettext("a check", "does not hold"),
        "verify_all": _("All {n} checks hold: every deal and lot follows from the secret."),
        "verify_some": _("{n} of {total} checks do not hold."),
        "verify_cannot": _("This browser computes only on a secure address (https)."),
        "verify_found": _("In the record"),
        "verify_computed": _("From the secret"),
        "verify_seat": _("Seat {n}"),
    }


def title_of(match: Match) -> str:
    """Return a match's name for people: table, tournament and round, or that it was friendly."""
    fixture = match.fixture
    if fixture is None:
        return _("Friendly match")
    tournament = fixture.round.stage.tournament
    values = {
        "number": fixture.number,
        "tournament": tournament.name,
        "round": fixture.round.number,
    }
    return _("Table %(number)s · %(tournament)s · round %(round)s") % values


def back_of(match: Match) -> str:
    """Return the address that a replay leads back to: the tournament's, or home."""
    if match.fixture is None:
        return reverse("home")
    return reverse("tournament", args=[match.fixture.round.stage.tournament_id])


def page_of(match: Match, record: Record, moment: Moment) -> dict[str, Any]:
    """Return what a replay's page shows: one hand in words, and what its script needs."""
    hands = len(record["hands"])
    return {
        "match": match,
        "title": title_of(match),
        "back": back_of(match),
        "record": reverse("api-match-record", args=[match.pk]),
        "moment": moment,
        "hands": range(1, hands + 1),
        "before": moment.hand - 1,
        "after": moment.hand + 1 if moment.hand < hands else 0,
        "hand": hand_lines(record, moment.hand) if hands else None,
        "names": names_of(record, moment.hand),
        "proof": record.get("proof"),
        "ended": record.get("ended", ""),
        "result": record["result"],
        "words": board_words() | replay_words(),
        "rules": board_rules(match),
    }
