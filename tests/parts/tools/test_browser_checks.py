"""What the checks in browsers call a fault, without a browser."""

from nmt_attention.translate import Translator
from tools.browser import check_exported_page, check_site
from tools.browser.javascript import Engine


def test_a_page_that_translates_otherwise_than_python_is_a_fault(capsys):
    translator, sentences = Translator.load(), ["Come in.", "I met Zorba yesterday."]
    assert check_exported_page.compare(Engine(translator), translator, sentences, [1])
    wrong = type("Wrong", (), {"translate": lambda self, sentence, **options: []})()
    assert not check_exported_page.compare(wrong, translator, sentences, [1])
    assert "FAIL with a beam of 1, 0 of 2 sentences are equal" in capsys.readouterr().out


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
