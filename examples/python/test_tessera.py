#!/usr/bin/env python3
"""Tests of tessera.py and of the notebook beside it, by Python's library alone: examples/python/test_tessera.py"""
import base64
import json
import pathlib
import re
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import tessera  # noqa: E402

SAMPLE = HERE.parents[1] / "web/public/samples/mlp.mlir"


class Runs(unittest.TestCase):
    def test_a_run_has_the_figures_of_the_report(self):
        run = tessera.run(SAMPLE, policy="DRAM", tensor_l1_usage_cap=0.5)
        self.assertEqual(run.report["options"]["policy"], "DRAM")
        self.assertEqual(run.report["options"]["tensor-l1-usage-cap"], 0.5)
        self.assertEqual(run.time, run.report["run"]["totals"]["time"])
        self.assertGreater(run.time, 0)

    def test_text_is_a_graph(self):
        self.assertEqual(tessera.run(SAMPLE.read_text(encoding="utf-8")).time, tessera.run(SAMPLE).time)

    def test_a_notebook_shows_the_page_in_a_frame(self):
        run = tessera.run(SAMPLE, policy="Greedy")
        frame = run._repr_html_()
        inside = base64.b64decode(re.search(r'src="data:text/html;base64,([^"]+)"', frame).group(1)).decode()
        self.assertEqual(inside, run.html)
        self.assertIn('sandbox="allow-scripts"', frame)
        with tempfile.TemporaryDirectory() as folder:
            run.save(f"{folder}/report.html")
            self.assertEqual(pathlib.Path(folder, "report.html").read_text(encoding="utf-8"), run.html)

    def test_policies_beside_each_other(self):
        compared = tessera.compare(SAMPLE, policies=["DRAM", "Greedy"], device="p150")
        self.assertEqual(list(compared.times), ["DRAM", "Greedy"])
        self.assertEqual(compared.times["Greedy"], tessera.run(SAMPLE, policy="Greedy", device="p150").time)

    def test_mistakes_say_what_is_wrong(self):
        with self.assertRaisesRegex(tessera.TesseraError, "nobody"):
            tessera.run(SAMPLE, policy="nobody")
        with self.assertRaisesRegex(tessera.TesseraError, "1:"):
            tessera.run("func.func @f(%a: tensor<\n")
        with self.assertRaisesRegex(tessera.TesseraError, "missing"):
            tessera.run("missing.mlir")


class Notebook(unittest.TestCase):
    def test_it_is_a_notebook_whose_cells_run(self):
        book = json.loads((HERE / "tessera.ipynb").read_text(encoding="utf-8"))
        self.assertEqual((book["nbformat"], book["nbformat_minor"]), (4, 5))
        ids = [cell["id"] for cell in book["cells"]]
        self.assertEqual(len(ids), len(set(ids)))
        names = {}
        for cell in book["cells"]:
            self.assertIn(cell["cell_type"], ("markdown", "code"))
            if cell["cell_type"] == "code":
                self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None))
                text = "".join(cell["source"]).replace("../../", f"{HERE.parents[1]}/")
                exec(compile(text, cell["id"], "exec"), names)  # pylint: disable=exec-used
        self.assertEqual(len(names["compared"].reports), 3)


if __name__ == "__main__":
    unittest.main()
