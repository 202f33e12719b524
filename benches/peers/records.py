"""The measured lines, in a file beside the tables that are made of them."""
import datetime
import json
import os
import statistics


class Records:
    def __init__(self, path):
        self.path = path
        self.lines = []
        if os.path.exists(path):
            with open(path) as file:
                self.lines = [json.loads(text) for text in file]

    def forget(self, kind, cases):
        """Drops what is about to be measured again."""
        names = {case.name for case in cases}
        self.lines = [line for line in self.lines if line["kind"] != kind or line["case"] not in names]

    def add(self, kind, line, **more):
        day = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
        load = round(os.getloadavg()[0], 1)
        self.lines.append({"kind": kind} | line | more | {"load": load, "taken": day})
        # Written each time: a run that is broken off leaves what it has.
        os.makedirs(os.path.dirname(self.path) or ".", exist_ok=True)
        with open(self.path, "w") as file:
            file.writelines(json.dumps(line) + "\n" for line in self.lines)

    def of(self, kind, case=None, who=None, **wanted):
        found = [line for line in self.lines if line["kind"] == kind]
        found = [line for line in found if case in (None, line["case"]) and who in (None, line["who"])]
        return [line for line in found if all(line.get(name) == value for name, value in wanted.items())]

    def seconds(self, kind, case, who, what="cpu_seconds_median", **wanted):
        """The median over all rounds; nothing where there is no figure."""
        found = [line[what] for line in self.of(kind, case, who, **wanted) if what in line]
        return statistics.median(found) if found else None

    def times_as_fast(self, case, who):
        """How many times as fast as `who` we are: the median of the rounds, each a pair that was measured in turn."""
        rounds = {}
        for line in self.of("peer", case):
            if "cpu_seconds_median" in line:
                rounds.setdefault(line["round"], {})[line["who"]] = line["cpu_seconds_median"]
        ratios = [found[who] / found["ours"] for found in rounds.values() if who in found and "ours" in found]
        return statistics.median(ratios) if ratios else None

    def why_missing(self, case, who):
        reasons = [line["missing"] for line in self.of("peer", case, who) if "missing" in line]
        return reasons[-1] if reasons else "not measured"
