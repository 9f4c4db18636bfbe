"""The API's addresses of tables; included by `league.urls` under /api/v1/."""

from django.urls import path

from tables import api

urlpatterns = [
    path("tables/<int:table_id>/", api.TableView.as_view(), name="api-table"),
    path("tables/<int:table_id>/record/", api.TableRecordView.as_view(), name="api-table-record"),
    path("matches/<int:match_id>/record/", api.MatchRecordView.as_view(), name="api-match-record"),
    path(
        "tournaments/<int:tournament_id>/fixtures/",
        api.FixtureListView.as_view(),
        name="api-tournament-fixtures",
    ),
]
