"""Tests of what the tables say: `python3 -m unittest discover benches/peers`. They need no peer and no package."""
import os
import tempfile
import unittest

import cases
import growth
import runs
import tables
from records import Records


def line(case, who, cpu, turn=0, **more):
    return {"kind": "peer", "case": case, "who": who, "cpu_seconds_median": cpu, "checksum": 1.0, "round": turn} | more


class Tables(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.records = Records(os.path.join(self.folder.name, "lines.jsonl"))

    def tearDown(self):
        self.folder.cleanup()

    def row(self, name):
        rows = [text for text in tables.one_thread(self.records) if text.startswith(f"| {name}, ")]
        return [cell.strip() for cell in rows[0].split("|")[1:-1]]

    def text(self):
        return "\n".join(tables.one_thread(self.records))

    def test_figures_are_medians_and_ratios_those_of_pairs(self):
        # In the second round the machine was half as fast for both.
        for turn, slow in enumerate((1.0, 2.0, 1.1)):
            self.records.lines += [line("w2", "ours", 0.1 * slow, turn), line("w2", "warp", 0.3 * slow, turn)]
        row = self.row("w2")
        self.assertEqual((row[1], row[2]), ("110", "330"))
        self.assertEqual(row[8], "**3.00** ≥ 2.5")

    def test_a_missed_target_says_so(self):
        self.records.lines += [line("w2", "ours", 0.2), line("w2", "warp", 0.3), line("w2", "rust-aos", 0.6)]
        self.assertEqual(self.row("w2")[8:], ["1.50 < 2.5, missed", "**3.00** ≥ 2.5"])
        self.assertIn("Missed: w2 against warp (1.50 of 2.5).", self.text())

    def test_what_is_missing_is_named(self):
        self.records.lines += [line("w2", "ours", 0.2), {"kind": "peer", "case": "w2", "who": "jax", "missing": "not installed"}]
        self.assertEqual(self.row("w2")[4], "missing")
        self.assertIn("* w2, jax: missing, not installed.", self.text())
        self.assertIn("* w2, warp: missing, not measured.", self.text())
        self.assertEqual(self.row("w2")[8], "missing, want 2.5")

    def test_another_result_is_marked(self):
        ours = line("w2", "ours", 0.2, checksum_reference=1.0, checksum_tolerance=1e-7)
        self.records.lines += [ours, line("w2", "warp", 0.3, checksum=1.001), line("w2", "numba", 0.3, checksum=1.0)]
        self.assertEqual(self.row("w2")[2], "300 (wrong)")
        self.assertEqual(self.row("w2")[5], "300")

    def test_two_threads_must_gain_and_not_cost(self):
        def threads(count, wall, cpu):
            return line("w2", "ours", cpu) | {"kind": "threads", "threads": count, "seconds_min": wall}

        self.records.lines += [threads(1, 0.2, 0.2), threads(2, 0.105, 0.21)]
        self.assertIn("| 1.05 | 1.90 | – | yes |", "\n".join(tables.two_threads(self.records)))
        self.records.lines += [threads(1, 0.18, 0.18)]
        self.assertIn("| 1.71 | – | no |", "\n".join(tables.two_threads(self.records)))
        self.assertIn("not known", tables.verdict_on_two(1.0, 1.3, 1.5))
        self.assertEqual(tables.verdict_on_two(1.0, 1.3, 1.9), "no")
        self.assertEqual(tables.verdict_on_two(1.2, 1.9, 1.9), "no, it costs more")

    def test_growth_is_the_exponent(self):
        for n in cases.SIZES:
            steps = max(1, min(growth.LAUNCHES, growth.ELEMENTS // n))
            self.records.lines.append(line("w8", "ours", 3e-9 * n * steps) | {"kind": "growth", "n": n})
        self.assertAlmostEqual(growth.power(self.records, "w8"), 1.0)
        self.assertEqual(growth.cell(self.records, "w8", 10**6), "3 ms, 3 ns each")

    def test_lines_outlive_the_process(self):
        self.records.add("peer", line("w1", "ours", 1.0), round=0)
        self.records.add("peer", line("w2", "ours", 2.0), round=0)
        again = Records(self.records.path)
        again.forget("peer", cases.named(["w2"]))
        self.assertEqual([found["case"] for found in again.of("peer")], ["w1"])


class Processes(unittest.TestCase):
    def test_why_a_process_has_no_line(self):
        for code, why in (("import sys; sys.exit(3)", "not installed"), ("1 / 0", "failed: ZeroDivisionError")):
            with self.assertRaisesRegex(runs.Missing, why):
                runs.line([runs.sys.executable, "-c", code])
        with self.assertRaisesRegex(runs.Missing, "not built"):
            runs.line([os.path.join(runs.HERE, "no such program")])

    def test_peers_are_asked_for_their_own_mode(self):
        planes, shuffled = cases.named(["w2:planes", "w14:shuffled"])
        self.assertIn("planes", runs.command("ours", planes, 1, ""))
        self.assertNotIn("planes", runs.command("warp", planes, 1, ""))
        self.assertIn("shuffled", runs.command("rust", shuffled, 1, ""))

    def test_targets_are_of_peers(self):
        for case in cases.CASES:
            self.assertLessEqual(set(case.targets), set(case.peers), case.name)
            self.assertLessEqual(len([who for who in case.targets if who.startswith("rust")]), 1, case.name)


if __name__ == "__main__":
    unittest.main()
