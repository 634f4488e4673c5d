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
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag

from tools.browser.chromium import Browser, chromium
from tools.teaching.site import BUILD

WIDTHS = (390, 1280)  # CSS pixels
SCHEMES = ("light", "dark")
POLICY = "default-src 'self' 'unsafe-inline' data:; worker-src blob:"
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


def problems(browser: Browser, base: str) -> Iterator[str]:
    """Yields what is wrong with the site that is served at an address."""
    names = [str(path.relative_to(BUILD)) for path in sorted(BUILD.rglob("*.html")) if "_static" not in path.parts]
    pages = {}
    for name in names:
        for width in WIDTHS:
            for scheme in SCHEMES:
                browser.size(width)
                browser.prefer(prefers_color_scheme=scheme)
                browser.open(base + name)
                pages[base + name] = seen = browser.script(LOOK)
                for fault in faults(seen, browser.complaints(), width, scheme):
                    yield f"{name}, {width} pixels, {scheme}: {fault}"
    yield from dead_links(pages, base)
    browser.open(f"{base}search.html?q=softmax")
    try:
        browser.until("document.querySelector('ul.search a[href*=\"03_attention_by_hand\"]')", 20)
    except TimeoutError:
        yield "a search for softmax does not find lesson 3"


def main() -> int:
    if not (BUILD / "index.html").is_file():
        sys.exit(f"no site in {BUILD}; run make site")
    with serving(BUILD) as base, chromium() as browser:
        found = list(problems(browser, base))
    print("\n".join(found) or "nothing is wrong")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
