"""The wheel, far from the repository: it trains, translates, draws, aligns and exports."""

import subprocess
import sys
import zipfile

from tools.teaching import course


def test_an_installed_package_works_far_from_the_repository(tmp_path):
    site, place = tmp_path / "site", tmp_path / "elsewhere"
    with zipfile.ZipFile(course.write_wheel(tmp_path)) as archive:
        archive.extractall(site)
    place.mkdir()
    lines = (course.ROOT / "data" / "phrasebook.tsv").read_text(encoding="utf-8").splitlines(keepends=True)
    (place / "pairs.tsv").write_text("".join(lines[:300]), encoding="utf-8")
    small = "--epochs 1 --units 8 --embedding-units 8 --vocabulary-size 300 --batch-size 64 --placeholders 0.3"

    code = f"""
import contextlib, io, sys
from nmt_attention.cli.main import main
def call(*words):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert main(list(words)) == 0, words
    return out.getvalue()
call("train", "--run", "run", "--corpus", "pairs.tsv", *"{small}".split())
assert call("translate", "Where is my book?") == "माझं पुस्तक कुठे आहे?\\n"  # with the model that comes with it
assert len(call("translate", "--run", "run", "I am at home.", "Come in.").splitlines()) == 2
assert call("plot", "--run", "run", "I am at home.").endswith("run/heatmap.png\\n")
assert len(call("align", "pairs.tsv", "--run", "run").splitlines()) == 300
assert call("export", "--run", "run", "exported") == "exported\\n"
call("export", "--page", "page.html")
"""
    environment = {"PYTHONPATH": str(site), "PATH": "", "HOME": str(tmp_path)}
    for command in (["-m", "nmt_attention", "--version"], ["-c", code]):
        subprocess.run([sys.executable, *command], cwd=place, env=environment, check=True)
    assert sorted(path.name for path in place.iterdir()) == ["exported", "page.html", "pairs.tsv", "run"]
