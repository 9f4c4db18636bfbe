"""What a match stands at between two hands: main balances, drafts, the bank, won hands.

Plain arithmetic over numbers by account and by side; tiles and lines are not known here.
"""

from typing import NamedTuple

from engine.events import Scores
from engine.rulesets import DraftsOnOpening, Terms


class Accounts(NamedTuple):
    """The balances of a match (rules.md, Domino 101; everywhere else all accounts are open).

    `totals` are the main balances by account (a seat where scores are kept by player, else a
    side). A closed account (`open` False) keeps what it wins in `drafts`. `bank` holds the pips of
    sekas for the next winner. `wins` are the hands won, by side.
    """

    totals: Scores
    drafts: Scores
    open: tuple[bool, ...]
    bank: int
    wins: Scores

    @classmethod
    def of(cls, terms: Terms) -> "Accounts":
        """Begin a match: nothing won, and closed where there is an opening minimum.

        >>> from engine.rulesets import preset
        >>> Accounts.of(preset("kraloyun").at(4, partners=True)).open
        (True, True)
        """
        nothing = (0,) * len(terms.side_of_account)
        opened = (terms.ruleset.opening_minimum == 0,) * len(nothing)
        return cls(nothing, nothing, opened, 0, (0,) * terms.sides)

    def credited(self, scores: Scores) -> "Accounts":
        """Add scores by account: to the main balance where it is open, else to the drafts.

        >>> Accounts((0, 20), (5, 0), (False, True), 0, (0, 1)).credited((10, 5))
        Accounts(totals=(0, 25), drafts=(15, 0), open=(False, True), bank=0, wins=(0, 1))
        """
        if not any(scores):
            return self
        entries = list(zip(scores, self.open, strict=True))
        main = [score if opened else 0 for score, opened in entries]
        draft = [0 if opened else score for score, opened in entries]
        return self._replace(totals=plus(self.totals, main), drafts=plus(self.drafts, draft))

    def banked(self, pips: int) -> "Accounts":
        """Put the pips of a seka into the bank.

        >>> Accounts((0, 0), (0, 0), (False, False), 12, (0, 0)).banked(30).bank
        42
        """
        return self._replace(bank=self.bank + pips)

    def won(self, terms: Terms, winner: int, worth: int) -> "Accounts":
        """Pay a hand's winner (a side) what it is worth, and the bank on top.

        That opens a closed account if it is enough (the 13 rule).

        >>> from engine.rulesets import preset
        >>> terms = preset("domino101").at(2, partners=False)
        >>> Accounts.of(terms).won(terms, 0, 12)
        Accounts(totals=(0, 0), drafts=(12, 0), open=(False, False), bank=0, wins=(1, 0))
        >>> Accounts.of(terms).won(terms, 0, 12).won(terms, 0, 13)
        Accounts(totals=(25, 0), drafts=(0, 0), open=(True, False), bank=0, wins=(2, 0))
        """
        accounts = self if self.open[winner] else self._opened(terms, winner, worth)
        totals, drafts, opened, bank, wins = accounts
        if opened[winner]:
            totals = plus_at(totals, winner, worth + bank)
        else:
            drafts = plus_at(drafts, winner, worth + bank)
        return Accounts(totals, drafts, opened, 0, plus_at(wins, winner, 1))

    def _opened(self, terms: Terms, winner: int, worth: int) -> "Accounts":
        """Open a side's account if this win is worth the minimum; its drafts move or are lost."""
        ruleset = terms.ruleset
        measured = worth + self.bank if ruleset.bank_opens_account else worth
        if measured < ruleset.opening_minimum:
            return self
        drafts = self.drafts[winner]
        moved = drafts if ruleset.drafts_on_opening is DraftsOnOpening.KEEP else 0
        return self._replace(
            totals=plus_at(self.totals, winner, moved),
            drafts=plus_at(self.drafts, winner, -drafts),
            open=(*self.open[:winner], True, *self.open[winner + 1 :]),
        )


def plus(scores: Scores, more: Scores | list[int]) -> Scores:
    """Add scores, each to its own.

    >>> plus((10, -3), (5, 1))
    (15, -2)
    """
    return tuple([one + other for one, other in zip(scores, more, strict=True)])


def plus_at(scores: Scores, place: int, more: int) -> Scores:
    """Add to one of the scores.

    >>> plus_at((10, -3), 1, 5)
    (10, 2)
    """
    return (*scores[:place], scores[place] + more, *scores[place + 1 :])
