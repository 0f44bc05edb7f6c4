"""Hosts a match for a person and bots: python3 host.py PAISHAN RULESET

A client that knows no game: what may be done, its words and its results come from the engine.
"""

import json
import subprocess
import sys


class Engine:
    def __init__(self, program):
        self.process = subprocess.Popen(
            [program, "jsonl", "--seed", "8"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, type, **members):
        self.process.stdin.write(json.dumps({"type": type, **members}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert answer["ok"], answer
        return answer


def main(program, ruleset):
    engine = Engine(program)
    table = engine.ask("new", ruleset=ruleset)
    name = table["table"]
    decided, lines, deals = 0, [], table["deal"]
    while not table["over"] and decided < 150:
        assert len(table["waiting"]) == 1, table
        view = engine.ask("view", table=name)["view"]
        legal = engine.ask("legal", table=name)["actions"]
        assert view["legal"] == legal and view["seat"] == table["waiting"][0]["seat"]
        hint = engine.ask("hint", table=name, agent="greedy")
        assert hint["action"] in [one["action"] for one in legal]
        if decided % 10 == 9:
            table = engine.ask("default", table=name)
        else:
            table = engine.ask("act", table=name, action=hint["action"])
        new = engine.ask("log", table=name, player=0, **{"from": len(lines)})
        lines += new["lines"]
        assert new["next"] == len(lines)
        deals = max(deals, table["deal"])
        decided += 1
    assert deals > 1, deals
    assert lines[0]["type"] == "start_game" and any(line["type"] == "end_kyoku" for line in lines)
    saved = engine.ask("save", table=name)["saved"]
    engine.ask("close", table=name)
    again = engine.ask("load", table=name, saved=saved)
    table.pop("action", None)
    assert again == table, (again, table)
    engine.process.stdin.close()
    assert engine.process.wait() == 0
    print(f"{ruleset}: {decided} decisions, {deals} deals, {len(lines)} lines")


main(*sys.argv[1:])
