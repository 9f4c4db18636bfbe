"""`manage.py first_admin`: the first admin of an installation without a demonstration."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from league.accounts.models import User
from league.console.logins import new_password, password_renew, reset_hint
from league.console.news import Login, News

NAME = "admin"


class Command(BaseCommand):
    help = "Makes the first admin unless there is one; the last line is what to tell, as JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--ask", action="store_true", help="ask for name and password")
        parser.add_argument("--renew", action="store_true", help="nobody saw the last password")

    def handle(self, *args: Any, **options: Any) -> None:
        admins = User.objects.filter(is_superuser=True)
        if options["ask"]:
            if not admins.exists():
                self.stdout.write("The first admin of this installation:")
                call_command("createsuperuser", email="")
            return
        logins: tuple[Login, ...] = ()
        if not admins.exists():
            logins = (_make(),)
        elif options["renew"] and (admin := admins.filter(username=NAME).first()):
            logins = (password_renew(user=admin, role="admin"),)
        self.stdout.write(News(logins, (reset_hint(),)).to_json())


def _make() -> Login:
    password = new_password()
    User.objects.create_superuser(NAME, password=password)
    return Login(role="admin", username=NAME, password=password)
