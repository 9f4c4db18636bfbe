"""What happened in a match, for as long as a state of it is held.

Steps in their order and nothing else: what they lead to is not known here.
"""

from itertools import chain

from engine.events import Event, Passed, TilePlayed, TilesDrawn
from engine.hand import Past

Events = tuple[Event, ...]


class Log:
    """The steps of one hand, in a list that all states of the hand share.

    A state knows its log and how many of the `steps` led to it; what stands behind them belongs to
    states that went on from it. A step that is written down is never changed. `before` is the log
    of the hand before, of which the first `told` steps count. A log from `new_match` or `load` has
    none before it, only what is still to be told of the hand in play, its `past`.

    >>> log = Log(Past()).followed(0, (Passed(1),)).followed(1, (Passed(2),))
    >>> log.events(1), log.events(2)
    ((Passed(seat=1),), (Passed(seat=1), Passed(seat=2)))
    """

    __slots__ = ("before", "past", "steps", "told")

    def __init__(
        self, past: Past, *steps: Events, before: "Log | None" = None, told: int = 0
    ) -> None:
        """Begin with these steps."""
        self.past, self.before, self.told = past, before, told
        self.steps = [*steps]

    def followed(self, count: int, events: Events) -> "Log":
        """Let `events` follow the first `count` steps, and give the log in which they do.

        That is this one, unless something else has followed here already: then it is a log of its
        own.

        >>> log = Log(Past()).followed(0, ())
        >>> log.followed(0, (Passed(1),)) is log
        False
        """
        steps = self.steps
        if len(steps) == count:
            steps.append(events)
        # asked after writing, for another thread may have been quicker
        return self if steps[count] is events else self._branched(count, events)

    def _branched(self, count: int, events: Events) -> "Log":
        steps = [*self.steps[:count], events]
        return Log(self.past, *steps, before=self.before, told=self.told)

    def placer(self, count: int) -> int:
        """Give the seat of the latest placement in this hand, of which there is one.

        >>> from engine.tiles import Tile
        >>> Log(Past(), (TilePlayed(3, Tile(5, 5), None),), (Passed(0),)).placer(2)
        3
        """
        for events in reversed(self.steps[:count]):
            if isinstance(events[0], TilePlayed):
                return events[0].seat
        return self.past.laid[-1].seat

    def past_after(self, count: int) -> Past:
        """Tell what the first `count` steps leave to be told of this hand.

        >>> Log(Past(), (Passed(0),), (Passed(1),)).past_after(1)
        Past(laid=(), passed=1, last=Passed(seat=0))
        """
        moves = [
            event
            for event in chain.from_iterable(self.steps[:count])
            if isinstance(event, TilePlayed | TilesDrawn | Passed)
        ]
        return self.past.followed_by(moves)

    def events(self, count: int) -> Events:
        """List everything since the first log began, this hand's first `count` steps included.

        >>> hand = Log(Past(), (Passed(0),), (Passed(1),))
        >>> Log(Past(), (Passed(2),), before=hand, told=1).events(1)
        (Passed(seat=0), Passed(seat=2))
        """
        hands: list[list[Events]] = []
        log: Log | None = self
        while log is not None:
            hands.append(log.steps[:count])
            count, log = log.told, log.before
        return tuple(chain.from_iterable(chain.from_iterable(reversed(hands))))
