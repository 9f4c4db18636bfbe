"""What conduct tells whoever listens; it does not know who does."""

from django.dispatch import Signal

ban_placed = Signal()
"""Sent with `ban` once a ban is committed."""
