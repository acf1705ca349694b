"""Where text is shown: how wide it is and whether it has colours."""

from dataclasses import dataclass

_CHOSEN = ("\033[1;32m", "\033[0m")
_LEFT_OUT = ("\033[2m", "\033[0m")


@dataclass(frozen=True, slots=True)
class Screen:
    """Width and colour of a terminal; the defaults are for files and pipes."""

    width: int = 80
    colour: bool = False

    def chosen(self, text: str) -> str:
        """Colour what a summary shows."""
        return text.join(_CHOSEN) if self.colour and text else text

    def left_out(self, text: str) -> str:
        """Dim what it does not show."""
        return text.join(_LEFT_OUT) if self.colour and text else text


PLAIN = Screen()
