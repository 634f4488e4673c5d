"""What a minute of training buys: the rows of the table, and where it is put."""

import pytest

from nmt_attention.disk.files import write_json
from tools.measure import minutes, processes


@pytest.fixture
def measured(monkeypatch):
    """Trains nothing; every further choice has one BLEU more and a step that takes twice as long."""
    trained = []

    def train(run, options):
        trained.append((run.name, *options))
        score = {"bleu": 30.0 + list(minutes.CHOICES).index(run.name), "chrf": 50.0}
        run.mkdir(parents=True)
        write_json(run / "scores.json", {"dev": score, "test": score})

    monkeypatch.setattr(processes, "train", train)
    monkeypatch.setattr(minutes, "time_steps", lambda runs: [(600, 0.1 * 2**i) for i in range(len(runs))])
    return trained


def test_each_choice_is_trained_and_its_row_put_between_the_marks(measured, tmp_path, capsys):
    docs, figure = tmp_path / "speed.md", tmp_path / "minutes.png"
    docs.write_text("before\n<!-- minutes: by a tool -->\nold\n<!-- end of minutes -->\nafter\n", encoding="utf-8")
    minutes.main(["--runs", str(tmp_path / "runs"), "--docs", str(docs), "--figure", str(figure)])
    assert sorted(name for name, *_ in measured) == sorted(minutes.CHOICES)
    assert all(call[-2:] == ("--extra", "phrasebook") for call in measured)
    table = capsys.readouterr().out
    assert docs.read_text(encoding="utf-8") == (
        f"before\n<!-- minutes: by a tool -->\n{table}<!-- end of minutes -->\nafter\n"
    )
    first, second = table.splitlines()[2:4]
    assert first.endswith("| 600 | 100 | 1.0 | 30.0 / 50.0 | 30.0 / 50.0 |")
    assert second.endswith("| 600 | 200 | 2.0 | 31.0 / 50.0 | 31.0 / 50.0 |")
    assert figure.stat().st_size > 1000


def test_a_file_without_marks_is_refused_before_anything_is_trained(measured, tmp_path):
    docs = tmp_path / "speed.md"
    docs.write_text("no marks\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="minutes: .*speed.md: expected the lines <!-- minutes"):
        minutes.main(["--runs", str(tmp_path / "runs"), "--docs", str(docs)])
    assert not measured
