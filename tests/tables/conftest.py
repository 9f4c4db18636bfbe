"""What the tests of tables share: a running installation for those that need sockets."""

from tests.stack import stack

__all__ = ["stack"]
