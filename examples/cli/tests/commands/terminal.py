"""Plays a deal by keys in a pseudo-terminal: python3 terminal.py PAISHAN RULESET"""

import codecs
import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

CONTROL = re.compile(r"\x1b\[([?0-9;]*)([A-Za-z])|\x1b[^\[]")


# The sizes of the terminal from some decisions on: rows, columns.
SIZES = {2: (20, 60), 4: (40, 120), 6: (24, 80)}


class Screen:
    """What a terminal shows, as far as the program uses one: it moves the cursor and prints."""

    def __init__(self, rows, columns):
        self.resize(rows, columns)
        self.row = self.column = 0
        self.modes = set()
        self.rest = ""

    def resize(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.clear()

    def clear(self):
        self.cells = [[" "] * self.columns for _ in range(self.rows)]

    def feed(self, text):
        text, place = self.rest + text, 0
        # A sequence may come in two pieces.
        cut = text.rfind("\x1b")
        if cut >= 0 and not CONTROL.match(text, cut):
            text, self.rest = text[:cut], text[cut:]
        else:
            self.rest = ""
        while place < len(text):
            control = CONTROL.match(text, place)
            if control:
                self.control(control.group(1) or "", control.group(2))
                place = control.end()
                continue
            if text[place] >= " ":
                inside = self.row < self.rows and self.column < self.columns
                assert inside, f"printed at {self.row}, {self.column} of {self.rows}×{self.columns}"
                self.cells[self.row][self.column] = text[place]
            self.column += 1
            place += 1

    def control(self, numbers, letter):
        if letter == "H":
            row, column = (numbers.split(";") + ["1"])[:2] if numbers else ("1", "1")
            self.row, self.column = int(row) - 1, int(column) - 1
        elif letter == "J":
            self.clear()
        elif letter in ("h", "l") and numbers.startswith("?"):
            (self.modes.add if letter == "h" else self.modes.discard)(numbers)

    def text(self):
        return "\n".join("".join(row).rstrip() for row in self.cells)


def main(program, ruleset):
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execv(program, [program, "play", "--ruleset", ruleset, "--seed", "5", "--hints", "greedy"])
    screen, decoder = Screen(24, 80), codecs.getincrementaldecoder("utf-8")("replace")

    def read(until, patience=20):
        end = time.monotonic() + patience
        while time.monotonic() < end:
            if select.select([terminal], [], [], 0.05)[0]:
                try:
                    screen.feed(decoder.decode(os.read(terminal, 1 << 16)))
                except OSError:
                    return
            elif until(screen.text()):
                return
        raise SystemExit(f"{ruleset}: not shown\n{screen.text()}")

    def press(keys):
        os.write(terminal, keys.encode())

    def resize(rows, columns):
        screen.resize(rows, columns)
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    resize(24, 80)
    read(lambda text: "ou may:" in text)
    assert "?1049" in screen.modes, screen.modes
    # A click on the first action, which is taken back.
    assert "?1006" in screen.modes, screen.modes
    lines = screen.text().split("\n")
    row = next(place for place, line in enumerate(lines) if "ou may:" in line) + 1
    press(f"\x1b[<0;3;{row + 1}M\x1b[<0;3;{row + 1}m")
    read(lambda text: "you: " in text)
    press("x" if "The deal is over" in screen.text() else "")
    press("u")
    read(lambda text: "taken back" in text)
    for decided in range(200):
        if decided in SIZES:
            resize(*SIZES[decided])
            read(lambda text: "ou may:" in text and "".join(screen.cells[-1]).startswith("you: "))
            head = "".join(screen.cells[0])
            assert "round" in head or screen.columns < 80, screen.text()
        press("h")
        read(lambda text: "greedy would" in text or "deal is over" in text)
        press("\r")
        read(lambda text: "ou may:" in text and "greedy would" not in text or "The deal is over" in text)
        if "The deal is over" in screen.text():
            break
    text = screen.text()
    assert "Deal 1" in text and ("wins" in text or "Nobody wins" in text), text
    press("x")
    read(lambda text: "The deal is over" not in text)
    press("q")
    # The last output may come in several pieces.
    while True:
        try:
            piece = os.read(terminal, 1 << 16)
        except OSError:
            break
        if not piece:
            break
        screen.feed(decoder.decode(piece))
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0, status
    assert "?1049" not in screen.modes, "the terminal is as it was before"
    print(f"{ruleset}: a deal by {decided + 1} decisions")


main(*sys.argv[1:])
