"""Opens every page of the built site in a real browser, as wide as a phone and as a laptop, light and dark.

A page fails if the browser complains, a picture is missing, something is wider than the screen, or a link within the
site leads nowhere. Whatever a page asks of another host is refused, which makes the browser complain. Needs chromium
and chromedriver (Debian: apt-get install chromium chromium-driver), and the site that `make site` builds.

python -m tools.browser.check_site
"""

import contextlib
import functools
import http.server
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag

from tools.browser.chromium import Browser, check, chromium
from tools.teaching.site import BUILD

WIDTHS = (390, 1280)  # CSS pixels
SCHEMES = ("light", "dark")
POLICY = "default-src 'self' 'unsafe-inline' data:"
LOOK = """
const scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
const late = performance.now() + 5000;
const themed = (done) => {  // on a busy machine a page keeps the last one's theme for a moment
  const theme = document.documentElement.dataset.theme ?? scheme;
  if (theme === scheme || performance.now() > late) done(); else setTimeout(themed, 50, done);
};
const loaded = [...document.images].map((image) => { image.loading = 'eager'; return image.decode().catch(() => {}); });
return Promise.all([...loaded, new Promise(themed)]).then(() => ({
  broken: [...document.images].filter((image) => !image.naturalWidth).map((image) => image.src),
  width: document.documentElement.scrollWidth,
  theme: document.documentElement.dataset.theme,
  links: [...document.links].map((link) => link.href),
  ids: [...document.querySelectorAll('[id]')].map((element) => element.id),
}));
"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files, and lets no page load anything from elsewhere."""

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()

    def log_message(self, *arguments: Any) -> None:
        pass


@contextlib.contextmanager
def serving(directory: Path) -> Iterator[str]:
    """Serves a directory at a free port and gives its address."""
    handler = functools.partial(Handler, directory=directory)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


def show(browser: Browser, address: str, width: int, scheme: str) -> tuple[dict[str, Any], list[str]]:
    """Opens a page as wide and as light or dark as asked; returns what `LOOK` sees, and the browser's complaints."""
    browser.size(width)
    browser.prefer("prefers-color-scheme", scheme)
    browser.open(address)
    return browser.script(LOOK), browser.complaints()


def faults(seen: dict[str, Any], complaints: list[str], width: int, scheme: str) -> list[str]:
    """Returns what is wrong with a page, links aside."""
    found = [*complaints, *(f"not shown: {image[:200]}" for image in seen["broken"])]
    if seen["width"] > width:
        found.append(f"{seen['width']} pixels wide")
    if seen.get("theme") not in (None, scheme):  # the exported page has no theme to choose
        found.append(f"drawn {seen['theme']}")
    return found


def dead_links(pages: dict[str, dict[str, Any]], base: str) -> list[str]:
    """Returns the links within a site that lead nowhere.

    Args:
        pages: of each page's address what `LOOK` sees there.
        base: the site's address.
    """
    dead = []
    for address, seen in pages.items():
        for link in seen["links"]:
            target, fragment = urldefrag(link)
            if not target.startswith(base):
                continue
            if target in pages:
                alive = not fragment or unquote(fragment) in pages[target]["ids"]
            else:
                alive = (BUILD / unquote(target.removeprefix(base))).is_file()
            if not alive:
                dead.append(f"{address.removeprefix(base)} → {link.removeprefix(base)}")
    return dead


def found_by_search(browser: Browser, base: str) -> list[str]:
    """Returns the addresses that a search for *softmax* finds."""
    browser.open(f"{base}search.html?q=softmax")
    end = time.monotonic() + 20
    results: list[str] = []
    while not results and time.monotonic() < end:
        time.sleep(0.2)
        results = browser.script("return [...document.querySelectorAll('ul.search a')].map((link) => link.href)")
    return [link.removeprefix(base) for link in results]


def check_site(browser: Browser, base: str) -> bool:
    """Returns whether the site is as it should be."""
    names = [str(path.relative_to(BUILD)) for path in sorted(BUILD.rglob("*.html")) if "_static" not in path.parts]
    good, pages = True, {}
    for name in names:
        for width in WIDTHS:
            for scheme in SCHEMES:
                seen, complaints = show(browser, base + name, width, scheme)
                wrong = faults(seen, complaints, width, scheme)
                good &= check(f"{name}, {width} pixels, {scheme} {wrong or ''}", not wrong)
        pages[base + name] = seen
    dead = dead_links(pages, base)
    links = sum(len(seen["links"]) for seen in pages.values())
    good &= check(f"{links:,} links on {len(pages)} pages, those within the site lead somewhere {dead or ''}", not dead)
    results = found_by_search(browser, base)
    good &= check(f"a search finds {len(results)} places", any("03_attention_by_hand" in link for link in results))
    return good


def main() -> int:
    if not (BUILD / "index.html").is_file():
        sys.exit(f"no site in {BUILD}; run make site")
    with serving(BUILD) as base, chromium() as browser:
        good = check_site(browser, base)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
