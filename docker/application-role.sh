#!/bin/sh
# Run once by the database's image: the role that serves. `manage.py grant` gives it its rights.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$APPLICATION_PASSWORD" -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
CREATE ROLE ayaz_app LOGIN PASSWORD :'password';
SQL
