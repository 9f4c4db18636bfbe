"""What can go wrong, one class a reason, each with a code that never changes.

Only exceptions live here. The texts are plain English for logs and command lines; whoever speaks to
people translates by `code`.

What is not in its right form and what is not allowed are two kinds: what is no action at all is an
`UnreadableAction`, what the position does not allow an `IllegalAction`. Catch the kind and
tell the reasons apart by the code.
"""

from enum import StrEnum


class EngineError(Exception):
    """Base of everything the engine raises on purpose.

    >>> MustPlay().code
    'must_play'
    """

    code = "engine_error"
    text = "the engine refused"

    def __init__(self, text: str | None = None) -> None:
        """Keep `text`, or the class's own sentence."""
        if text is not None:
            self.text = text
        super().__init__(self.text)


class InvalidTile(EngineError):
    """A text or a pair of numbers that names none of the 28 tiles.

    >>> from engine.tiles import tile_from_text
    >>> tile_from_text("7-0")
    Traceback (most recent call last):
    engine.errors.InvalidTile: no tile is written '7-0'
    """

    code = "invalid_tile"
    text = "there is no such tile"


class UnreadableAction(EngineError):
    """Not an action at all; an illegal one is an `IllegalAction`.

    >>> from engine.actions import action_from_json
    >>> action_from_json({"play": "6-4", "end": "M"})
    Traceback (most recent call last):
    engine.errors.UnreadableAction: an end is L or R, not 'M'
    """

    code = "unreadable_action"
    text = "this is no action"


class UnreadableEvent(EngineError):
    """Not an event at all.

    >>> from engine.events import event_from_json
    >>> event_from_json([])
    Traceback (most recent call last):
    engine.errors.UnreadableEvent: no event is written a list
    """

    code = "unreadable_event"
    text = "this is no event"


class RulesetFault(StrEnum):
    """What can be wrong with a rule set; the codes of `InvalidRuleset`.

    >>> RulesetFault("not_offered") is RulesetFault.NOT_OFFERED
    True
    """

    WRONG_TYPE = "wrong_type"
    OUT_OF_RANGE = "out_of_range"
    MISSING_FIELD = "missing_field"
    UNKNOWN_FIELD = "unknown_field"
    UNKNOWN_PRESET = "unknown_preset"
    NOT_OFFERED = "not_offered"
    CONTRADICTION = "contradiction"
    LENGTH = "length"
    SEATS = "seats"
    PARTNERS = "partners"
    DEAL = "deal"
    RESERVE = "reserve"
    STAKE = "stake"


class InvalidRuleset(EngineError):
    """A rule set that cannot be played (rules.md, Fields of a rule set).

    `code` names the kind of fault, `field` the field of the rule set it lies in, if it lies in one.

    >>> error = InvalidRuleset(RulesetFault.DEAL, "4 racks of 8 tiles are more than 28", "deal")
    >>> error.code.value, error.field, error.text
    ('deal', 'deal', '4 racks of 8 tiles are more than 28')
    """

    code = "invalid_ruleset"
    text = "this rule set cannot be played"

    def __init__(self, code: RulesetFault, text: str, field: str | None = None) -> None:
        """Keep the kind of fault as `code` and the sentence as `text`."""
        self.code, self.field = code, field
        super().__init__(text)


class NotANumber(InvalidRuleset):
    """A rule set with something else where a number belongs; raised with the code `wrong_type`.

    >>> from engine.rulesets import preset
    >>> preset("aznif", deal=True)
    Traceback (most recent call last):
    engine.errors.NotANumber: deal is a number, not True
    """

    code = "not_a_number"


class InvalidShuffle(EngineError):
    """A secret or contributions of the wrong shape (rules.md, Shuffle).

    >>> from engine.fairness import Shuffle
    >>> Shuffle(b"short", ())
    Traceback (most recent call last):
    engine.errors.InvalidShuffle: a secret has 32 bytes
    """

    code = "invalid_shuffle"
    text = "the secret or the contributions have the wrong shape"


class InvalidDeal(EngineError):
    """Racks, stock or starter that the rule set does not allow, or a deal at the wrong time.

    >>> InvalidDeal("no tile lies twice").code
    'invalid_deal'
    """

    code = "invalid_deal"
    text = "this deal does not follow from the rules"


class InvalidSnapshot(EngineError):
    """A snapshot that `load` cannot read.

    >>> from engine.snapshot import load
    >>> load({})
    Traceback (most recent call last):
    engine.errors.InvalidSnapshot: a snapshot cannot be read: KeyError
    """

    code = "invalid_snapshot"
    text = "this snapshot cannot be read"


class InvalidRecord(EngineError):
    """A match record that does not hold.

    `hand` and `move` name the place, counted from 1; None where they do not apply. `reason` is the
    sentence without the place.

    >>> error = InvalidRecord("this hand opens with 6-6", hand=1, move=1)
    >>> str(error), error.reason
    ('hand 1, move 1: this hand opens with 6-6', 'this hand opens with 6-6')
    """

    code = "invalid_record"
    text = "this record does not hold"

    def __init__(self, text: str, hand: int | None = None, move: int | None = None) -> None:
        """Put the place in front of the sentence."""
        self.hand, self.move, self.reason = hand, move, text
        place = [f"{name} {n}" for name, n in (("hand", hand), ("move", move)) if n is not None]
        super().__init__(": ".join(filter(None, [", ".join(place), text])))


class UnreadableRecord(InvalidRecord):
    """A record that cannot be read: no JSON of whole numbers, or more than is ever looked at.

    >>> from engine.record import parse_record
    >>> parse_record("[1.5]")
    Traceback (most recent call last):
    engine.errors.UnreadableRecord: a number is an integer, not '1.5'
    """

    code = "unreadable_record"


class IllegalAction(EngineError):
    """A readable action that the position does not allow (rules.md, Common to all).

    >>> from engine.actions import Pass, Play
    >>> from engine.match import apply, deal_given, new_match
    >>> from engine.rulesets import preset
    >>> from engine.tiles import TILES, Tile
    >>> start, racks = new_match(preset("vip-draw"), seats=2), [TILES[:7], TILES[7:14]]
    >>> state = deal_given(start, racks, TILES[14:], starter=0).state
    >>> for action in (Pass(), Play(Tile(6, 6))):
    ...     try:
    ...         apply(state, action)
    ...     except IllegalAction as error:
    ...         print(f"{error.code}: {error}")
    must_play: there is a playable tile, so it must be played
    tile_not_in_rack: the tile 6-6 is not in the rack
    """

    code = "illegal_action"
    text = "this is not allowed now"


class NoHandInPlay(IllegalAction):
    """Nothing is dealt: before a deal, between hands.

    >>> NoHandInPlay().code
    'no_hand_in_play'
    """

    code = "no_hand_in_play"
    text = "no hand is in play"


class MatchOver(IllegalAction):
    """The match has ended.

    >>> MatchOver().code
    'match_over'
    """

    code = "match_over"
    text = "the match is over"


class TileNotInRack(IllegalAction):
    """The seat on turn does not hold the tile.

    >>> TileNotInRack().code
    'tile_not_in_rack'
    """

    code = "tile_not_in_rack"
    text = "the tile is not in the rack"


class TileDoesNotFit(IllegalAction):
    """The tile does not match the named end.

    >>> TileDoesNotFit().code
    'tile_does_not_fit'
    """

    code = "tile_does_not_fit"
    text = "the tile does not match that end"


class EndMissing(IllegalAction):
    """The line has two ends and none was named.

    >>> EndMissing().code
    'end_missing'
    """

    code = "end_missing"
    text = "name the end to play at"


class EndOnEmptyLine(IllegalAction):
    """The first tile of a hand lies on an empty line: it has no end.

    >>> EndOnEmptyLine().code
    'end_on_empty_line'
    """

    code = "end_on_empty_line"
    text = "the first tile of a hand takes no end"


class OpeningForced(IllegalAction):
    """The rule set says with which tile this hand opens.

    >>> OpeningForced().code
    'opening_forced'
    """

    code = "opening_forced"
    text = "this hand opens with another tile"


class MustPlay(IllegalAction):
    """Who can play must play: no voluntary draw, no voluntary pass.

    >>> MustPlay().code
    'must_play'
    """

    code = "must_play"
    text = "there is a playable tile, so it must be played"


class MustDraw(IllegalAction):
    """A pass while tiles may still be drawn.

    >>> MustDraw().code
    'must_draw'
    """

    code = "must_draw"
    text = "there are tiles to draw"


class NothingToDraw(IllegalAction):
    """A draw while nothing may be drawn.

    >>> NothingToDraw().code
    'nothing_to_draw'
    """

    code = "nothing_to_draw"
    text = "there is nothing to draw"
