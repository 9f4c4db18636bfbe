"""The tallies of what was posted before there were tallies."""

from django.db import migrations

COUNT_THEM = """
INSERT INTO standings_tally (season_id, player_id, club_id, points, played)
SELECT posting.season_id, account.player_id, posting.club_id, sum(posting.points),
       count(DISTINCT result.match_id) FILTER (WHERE result.is_current)
  FROM ledger_posting posting
  JOIN ledger_account account ON account.id = posting.account_id
  LEFT JOIN results_result result ON result.id = posting.result_id
 WHERE posting.season_id IS NOT NULL
 GROUP BY posting.season_id, account.player_id, posting.club_id;

INSERT INTO standings_pairtally (season_id, low_id, high_id, points, played)
SELECT posting.season_id, least(one.player_id, other.player_id),
       greatest(one.player_id, other.player_id), sum(posting.points),
       count(DISTINCT result.match_id) FILTER (WHERE result.is_current)
  FROM ledger_posting posting
  JOIN results_stint one ON one.id = posting.stint_id AND one.how = 'start'
  JOIN results_match match ON match.id = one.match_id AND match.partners
  JOIN results_stint other ON other.match_id = one.match_id AND other.how = 'start'
       AND other.seat = (one.seat + 2) % 4 AND other.player_id IS NOT NULL
  LEFT JOIN results_result result ON result.id = posting.result_id
 WHERE posting.season_id IS NOT NULL
 GROUP BY posting.season_id, least(one.player_id, other.player_id),
          greatest(one.player_id, other.player_id);
"""


class Migration(migrations.Migration):
    dependencies = [
        ("standings", "0001_initial"),
        ("ledger", "0003_older_postings"),
        ("results", "0004_results_have_digests"),
    ]

    operations = [migrations.RunSQL(COUNT_THEM, migrations.RunSQL.noop)]
