"""The rules of domino as pure functions over immutable values.

Only the standard library may be imported here; the engine knows seats and never people, and holds
no clock, socket or database. The rule book is rules.md; where it says **D** the choice is a field
of the rule set.
"""
