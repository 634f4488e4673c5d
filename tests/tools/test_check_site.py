"""What the check of the site calls a fault, without a browser."""

from tools import check_site


def test_dead_links_are_found(monkeypatch, tmp_path):
    monkeypatch.setattr(check_site, "BUILD", tmp_path)
    (tmp_path / "data.json").write_text("{}", encoding="utf-8")
    base = "http://site/"
    good = [base + "b.html#there", base + "b.html", base + "data.json", "https://elsewhere.org/none"]
    pages = {base + "a.html": {"links": good, "ids": []}, base + "b.html": {"links": [], "ids": ["there"]}}
    assert check_site.dead_links(pages, base) == []
    pages[base + "b.html"]["links"] = [base + "c.html", base + "a.html#none"]
    assert check_site.dead_links(pages, base) == ["b.html → c.html", "b.html → a.html#none"]


def test_faults_are_told():
    fine = {"broken": [], "width": 390, "theme": "dark"}
    assert check_site.faults(fine, [], 390, "dark") == []
    bad = {"broken": ["x.png"], "width": 391, "theme": "light"}
    found = check_site.faults(bad, ["an error"], 390, "dark")
    assert found == ["an error", "not shown: x.png", "391 pixels wide", "drawn light"]
