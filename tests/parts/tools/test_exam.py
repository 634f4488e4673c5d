"""The exam that is drawn from the question bank."""

import json
import re
from collections import Counter

from nmt_attention.disk.pairs import DATA_DIRECTORY
from tools.teaching import course, exam

QUESTIONS = json.loads((DATA_DIRECTORY / "questions.json").read_text(encoding="utf-8"))
NUMBERS = {q["answers"][0]["value"] for q in QUESTIONS if q["type"] == "numeric"}


def test_a_seed_draws_one_exam_of_all_levels_from_many_lessons_and_answers_it_elsewhere(monkeypatch, tmp_path, capsys):
    for name in ("ROOT", "BUILD"):
        monkeypatch.setattr(course, name, tmp_path)

    def written(seed):
        exam.main(["--seed", str(seed), "--questions", "12"])
        return [(tmp_path / name).read_text(encoding="utf-8") for name in capsys.readouterr().out.split()]

    first, again, other = written(7), written(7), written(8)
    assert first == again and first != other
    asked, answered = first
    assert "<b>" not in asked and "level" not in asked
    keys = re.findall(r"<b>(.*?)</b>: .* \((\w+)-[\w-]+, level (\d)\)</li>", answered)
    assert Counter(level for *_, level in keys) == {"1": 4, "2": 4, "3": 4}
    assert len({lesson for _, lesson, _ in keys}) == 12
    questions = re.findall(r"^<li>(<p>.*?)</li>$", asked, re.MULTILINE | re.DOTALL)
    for question, (right, *_) in zip(questions, keys, strict=True):
        choices = re.findall(r"<li>(.*?)</li>", question + "</li>")
        assert right == f"{right[0]}, {choices['abcd'.index(right[0])]}" if choices else float(right) in NUMBERS
    places = {place for seed in range(9) for place in re.findall(r"<b>([a-d]), ", written(seed)[1])}
    assert places == set("abcd")
