"""Older results get the digest of what stands there now."""

from typing import Any

from django.db import migrations

from league.results.facts import Facts, Terms, digest_of, moment_text


def digest_them(apps: Any, schema_editor: Any) -> None:
    """Write each result's digest as the services write a new one's."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, encode(sha256(convert_to(record::text, 'UTF8')), 'hex') FROM results_result"
        )
        records = dict(cursor.fetchall())
    results = apps.get_model("results", "Result").objects.select_related("match").defer("record")
    for result in results.order_by("pk").iterator(500):
        result.digest = digest_of(_facts(result, records[result.pk]))
        result.save(update_fields=["digest"])


def _facts(result: Any, record: str | None) -> Facts:
    match = result.match
    return Facts(
        version=result.version,
        by_decision=result.by_decision,
        absent=result.absent,
        scores=result.scores,
        places=result.places,
        points=result.points,
        record=record,
        made_at=str(moment_text(result.created_at)),
        terms=Terms(
            match=match.pk,
            fixture=match.fixture_id,
            number=match.number,
            ruleset=match.ruleset,
            seats=match.seats,
            partners=match.partners,
            stake=match.stake,
            opened_at=str(moment_text(match.created_at)),
            finished_at=moment_text(match.finished_at),
        ),
        stints=[_stint(stint) for stint in match.stints.order_by("seat", "number")],
    )


def _stint(stint: Any) -> list[Any]:
    return [
        stint.pk,
        stint.seat,
        stint.number,
        stint.player_id,
        stint.club_id,
        stint.how,
        stint.from_hand,
        stint.left,
        moment_text(stint.left_at),
        stint.given_up,
    ]


class Migration(migrations.Migration):
    dependencies = [("results", "0004_results_have_digests")]

    operations = [migrations.RunPython(digest_them, migrations.RunPython.noop)]
