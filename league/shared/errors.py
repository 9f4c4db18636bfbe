"""The one kind of error that a person's input may cause. Pure: no Django."""


class DomainError(Exception):
    """Bad input or a refused wish: a stable `code` for programs and one clear sentence for people.

    Raised by services before anything changed; pages, API and sockets show `text` and `code`.
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = str(text)
