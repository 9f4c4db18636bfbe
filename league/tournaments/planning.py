"""What can be played: a match and a house rule set before anything is written.

Pure: asks the engine, and turns its refusals into the reader's. No database here.
"""

from collections.abc import Mapping

from engine.errors import EngineError, InvalidRuleset, RulesetFault
from engine.match import MatchState, new_match
from engine.rulesets import LengthKind, Ruleset, preset, ruleset_from_json
from league.tournaments.wording import refusal_of

PLAIN_VERSION = 1
"""The version of a preset's own rules; a house rule set counts its own changes."""
MOST_HANDS = 2_500
"""Of more hands the record would outgrow the 5 MB that its readers take (record.md): up to 1.4 KB a
hand, redeals and names apart. The engine itself plays 10,000."""


def match_planned(
    *, ruleset: object, seats: int, partners: bool, stake: int | None = None
) -> MatchState:
    """Return a match not yet begun under these terms; its rule set carries a version.

    `ruleset` is the engine's or the record's form; a house rule set brings its own version, a
    plain preset gets 1. Raises DomainError with the engine's code.
    """
    try:
        rules = ruleset if isinstance(ruleset, Ruleset) else ruleset_from_json(ruleset)
        _check_recordable(rules)
        if rules.version is None:
            rules = rules._replace(version=PLAIN_VERSION)
        return new_match(rules, seats=seats, partners=partners, stake=stake)
    except EngineError as error:
        raise refusal_of(error) from error


def house_rules_planned(*, ruleset: Mapping[str, object], version: int = 1) -> Ruleset:
    """Read a house rule set: a preset's name under `preset`, and what is played differently.

    Raises DomainError with the engine's code, also where no table can be seated under it.
    """
    options = {**ruleset, "version": version}
    name = options.pop("preset", None)
    try:
        rules = preset(name, **options)  # type: ignore[arg-type]  # the engine checks the name
        _check_recordable(rules)
        _check_seatable(rules)
    except EngineError as error:
        raise refusal_of(error) from error
    return rules


def _check_recordable(rules: Ruleset) -> None:
    if rules.hands is not None and rules.hands > MOST_HANDS:
        sentence = f"a match here has at most {MOST_HANDS} hands"
        raise InvalidRuleset(RulesetFault.OUT_OF_RANGE, sentence, LengthKind.HANDS.value)


def _check_seatable(rules: Ruleset) -> None:
    """Raise the engine's refusal of a rule set under which no table can be seated."""
    refused: EngineError | None = None
    for seats, partnerships in rules.family.partners.items():
        for partners in partnerships:
            try:
                rules.at(seats, partners)
            except InvalidRuleset as error:
                refused = refused or error
            else:
                return
    if refused is not None:
        raise refused
