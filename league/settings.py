"""Settings: from the environment, then from `run.env` in the data directory (`manage.py up`).

No secret and no address stands here. `AYAZ_HTTPS=1` turns on what needs TLS in front.
"""

import os
import sys
from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _
from environs import Env

from league.shared.datadir import OWNERS_KEYS, data_dir, read_run_env

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = data_dir()
GIVEN = frozenset(key for key, value in os.environ.items() if value)  # not from run.env
_OWNERS_WORK = sys.argv[1:2] in (["migrate"], ["grant"])
for _key, _value in read_run_env(DATA_DIR).items():
    if _OWNERS_WORK or _key not in OWNERS_KEYS:
        os.environ.setdefault(_key, _value)
env = Env()

# --- identity and hosts
SECRET_KEY = env.str("SECRET_KEY", "")  # empty is refused by Django at first use
DEBUG = env.bool("AYAZ_DEBUG", False)
HTTPS = env.bool("AYAZ_HTTPS", False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", [])

# --- the parts
INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "servestatic",
    "league.shared.apps.StaticFiles",
    "django.contrib.postgres",
    "allauth",
    "allauth.account",
    "rest_framework",
    "rest_framework.authtoken",
    "drf_spectacular",
    "drf_standardized_errors",
    "django_htmx",
    "pgtrigger",
    "rules",
    "csp",
    "channels",
    "league.accounts",
    "league.conduct",
    "league.clubs",
    "league.seasons",
    "league.tournaments",
    "league.results",
    "league.ledger",
    "league.standings",
    "league.settlement",
    "league.console",
    "tables",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "servestatic.middleware.ServeStaticMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "league.accounts.middleware.UserLanguageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
ROOT_URLCONF = "league.urls"
ASGI_APPLICATION = "league.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# --- PostgreSQL and Valkey
# The owner's role migrates; the application's may neither TRUNCATE nor change the schema.
_DATABASE = "DATABASE_URL"
if sys.argv[1:2] == ["migrate"] and os.environ.get("MIGRATE_URL"):
    _DATABASE = "MIGRATE_URL"
# Under ASGI each request has a thread of its own: a connection kept for a thread would be kept for
# nobody. The pool keeps a few for all of a process's threads, and bounds how many there are.
DATABASES: dict[str, Any] = {
    "default": env.dj_db_url(
        _DATABASE, "postgres://ayaz@127.0.0.1:5432/ayaz", conn_max_age=0, conn_health_checks=True
    )
}
DATABASES["default"].setdefault("OPTIONS", {})["pool"] = {
    "min_size": 1,
    "max_size": 8,
    "timeout": 10,
    "reconnect_timeout": 10,
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
VALKEY_URL = env.str("VALKEY_URL", "redis://127.0.0.1:6379/0")
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        # redis-py 8's own socket_timeout of 5 s would cut idle subscriptions
        "CONFIG": {"hosts": [{"address": VALKEY_URL, "socket_timeout": 15}], "prefix": "ayaz"},
    },
}
CACHES = {"default": {"BACKEND": "league.shared.cache.OpenCache", "LOCATION": VALKEY_URL}}
CELERY_BROKER_URL = VALKEY_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULE = {
    "open-due-tables": {
        "task": "tables.tasks.open_due_tables",
        "schedule": 5.0,
        "options": {"expires": 5},  # no heap of them waits for a worker that was away
    },
}

# --- people
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "rules.permissions.ObjectPermissionBackend",
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "league.accounts.adapter.AccountAdapter"
# by address, behind which a whole club may sit, and by user name from one address (the `key`)
ACCOUNT_RATE_LIMITS = {"login": "120/m/ip", "login_failed": "60/m/ip,5/5m/key"}
# how many proxies' X-Forwarded-For to believe: none unless told, or anybody evades the throttles
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("AYAZ_PROXIES", 0)

# --- languages and time
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("tr", _("Turkish")), ("az", _("Azerbaijani"))]
LOCALE_PATHS = [BASE_DIR / "league" / "locale"]
TIME_ZONE = "Europe/Istanbul"
USE_I18N = True
USE_TZ = True

# --- static files: collected by `up`, served by servestatic under Daphne
STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "league" / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "league.shared.staticfiles.Storage"},
}

# --- security
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    },
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
if HTTPS:
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^healthz$"]  # asked from inside, without TLS
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 31_536_000
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True

# --- the API
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "rest_framework.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": [
        "league.shared.parsers.JSONParser",
        "league.shared.parsers.FormParser",
    ],
    "DEFAULT_SCHEMA_CLASS": "drf_standardized_errors.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "drf_standardized_errors.handler.exception_handler",
    # a user name from one address; one address, behind which a whole club may sit
    "DEFAULT_THROTTLE_RATES": {"token": "10/min", "token_address": "120/min"},
    "NUM_PROXIES": ALLAUTH_TRUSTED_PROXY_COUNT,
}
DRF_STANDARDIZED_ERRORS = {"EXCEPTION_HANDLER_CLASS": "league.shared.api.ExceptionHandler"}
_ERRORS = "drf_standardized_errors.openapi_serializers"
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Ayaz",
    "DESCRIPTION": "Leagues and live tables for dominoes. The sockets of live tables: "
    "[frames and error codes](/api/protocol/).",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "ENUM_NAME_OVERRIDES": {
        f"{name}Enum": f"{_ERRORS}.{name}Enum.choices"
        for name in (
            *("ValidationError", "ClientError", "ServerError", "ParseErrorCode"),
            *(f"ErrorCode{code}" for code in (401, 403, 404, 405, 406, 415, 429, 500)),
        )
    }
    | {
        "TextErrorCodeEnum": [
            *("blank", "invalid", "null", "null_characters_not_allowed", "required"),
            "surrogate_characters_not_allowed",
        ]
    },
}

# --- tables
AYAZ_MOVE_SECONDS = env.int("AYAZ_MOVE_SECONDS", 30)  # default time for a move
AYAZ_HAND_PAUSE_SECONDS = env.float("AYAZ_HAND_PAUSE_SECONDS", 12.0)  # a hand's result is shown
AYAZ_START_SECONDS = env.float("AYAZ_START_SECONDS", 120.0)  # all seated: *Start* comes by itself
AYAZ_SUBSTITUTE_SECONDS = env.float("AYAZ_SUBSTITUTE_SECONDS", 900.0)  # for an empty seat
AYAZ_PAUSE_SECONDS = env.float("AYAZ_PAUSE_SECONDS", 600.0)  # a manager's pause ends by itself
AYAZ_REFEREE_SECONDS = env.float("AYAZ_REFEREE_SECONDS", 1800.0)  # a call nobody answers, too
AYAZ_DROP_SECONDS = env.float("AYAZ_DROP_SECONDS", 180.0)  # disconnected at a table without clock
AYAZ_BOT_SECONDS = env.float("AYAZ_BOT_SECONDS", 1.0)  # a bot thinks so long
AYAZ_BEAT_SECONDS = env.float("AYAZ_BEAT_SECONDS", 10.0)  # between two beats of a table's socket
AYAZ_SOCKETS_AN_ADDRESS = env.int("AYAZ_SOCKETS_AN_ADDRESS", 400)  # at once, in one process
AYAZ_UNREAD_BYTES = env.int("AYAZ_UNREAD_BYTES", 256 * 1024)  # who lets more wait is cut off

# --- the demonstration
AYAZ_DEMO_GAME = env.str("AYAZ_DEMO_GAME", "aznif")  # the preset that a new one plays
AYAZ_DEMO_SEATS = env.int("AYAZ_DEMO_SEATS", 4)  # at each of its tables
AYAZ_ROBOT_SECONDS = env.float("AYAZ_ROBOT_SECONDS", 0.4)  # a robot thinks so long before it acts
AYAZ_ROUND_SECONDS = env.float("AYAZ_ROUND_SECONDS", 600.0)  # round 2 starts so long after round 1

# --- logs: one line an event, on standard error
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "league.shared.logs.DiscreetFormatter",
            "format": "{levelname} {name} {message}",
            "style": "{",
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "INFO"},
    "loggers": {"daphne": {"level": "WARNING"}, "django.request": {"level": "ERROR"}},
}
