"""Older postings keep their hashes (format 1) and are told which match and seat they are for."""

from django.db import migrations

NAME_THEM = """
ALTER TABLE ledger_posting DISABLE TRIGGER USER;
UPDATE ledger_posting SET format = 1;
UPDATE ledger_posting posting
   SET match_id = stint.match_id, seat = stint.seat, tournament_id = stage.tournament_id
  FROM results_stint stint
  JOIN results_match match ON match.id = stint.match_id
  JOIN tournaments_fixture fixture ON fixture.id = match.fixture_id
  JOIN tournaments_round round ON round.id = fixture.round_id
  JOIN tournaments_stage stage ON stage.id = round.stage_id
 WHERE stint.id = posting.stint_id;
ALTER TABLE ledger_posting ENABLE TRIGGER USER;
"""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0002_postings_name_everything")]

    operations = [migrations.RunSQL(NAME_THEM, migrations.RunSQL.noop)]
