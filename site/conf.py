"""Settings of the course's site, for Sphinx. `tools/teaching/site.py` gathers the pages and starts it."""

import html
import textwrap

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml

from nmt_attention.figures.fonts import mukta_file

project = "Attention, from English to Marathi"
html_title = project
language = "en"
extensions = ["myst_nb"]
highlight_language = "none"  # blocks that name no language are commands and their output

nb_execution_mode = "off"  # the outputs that the lessons store are shown
nb_merge_streams = True
nb_render_image_options = {"alt": "Figure drawn by the code above"}
myst_enable_extensions = ["dollarmath", "html_image"]
myst_heading_anchors = 3

html_theme = "sphinx_book_theme"
templates_path = ["templates"]
html_sidebars = {"**": ["navbar-logo.html", "search-button-field.html", "translator-link.html", "sbt-sidebar-nav.html"]}
html_static_path = ["static", str(mukta_file()), str(mukta_file("SemiBold"))]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_favicon = "static/icon.svg"
html_math_renderer = "mathml"
html_show_sourcelink = False
html_copy_source = False
html_use_index = False
html_context = {"default_mode": "auto"}  # light or dark as the reader's system is, until another is chosen
html_theme_options = {
    "logo": {"text": project},
    "use_download_button": False,
    "use_fullscreen_button": False,
    "navbar_persistent": [],  # else a second search field
    "footer_content_items": [],
}


def write_formula(translator, node):
    """Writes a formula as MathML, which browsers draw by themselves, so that no script has to be fetched for it."""
    translator.body.append(tex2mathml(node.astext(), as_block=isinstance(node, nodes.math_block)))
    raise nodes.SkipNode


def name_folds(app, page, template, context, tree):
    """Lets screen readers say what is folded, such as *Show the solution*, and not just that something is."""
    context["body"] = context.get("body", "").replace(' aria-label="Toggle hidden content"', "")


def describe(app, page, template, context, tree):
    """Says what a link to the page is shown with: title, first paragraph, a picture if the site's address is known."""
    if page == app.config.root_doc:
        context["docstitle"] = ""  # its title is that of the site
    if not tree:  # such as search
        return
    texts = (node.astext() for node in tree.findall(nodes.paragraph))
    text = textwrap.shorten(next(text for text in texts if len(text) > 50), 200, placeholder=" …")
    tags = {"og:title": next(tree.findall(nodes.title)).astext(), "og:description": text, "og:type": "article"}
    if base := app.config.html_baseurl:
        tags |= {"og:image": f"{base}_images/page.gif", "twitter:card": "summary_large_image"}
    lines = [f'<meta property="{name}" content="{html.escape(value)}" />' for name, value in tags.items()]
    lines.append(f'<meta name="description" content="{html.escape(text)}" />')
    if page == "404":  # its links are to work at any address
        lines.append(f'<base href="{base}" />')
    context["metatags"] += "\n".join(lines)


def setup(app):
    """Called by Sphinx."""
    app.connect("html-page-context", describe)
    app.connect("html-page-context", name_folds)
    app.add_html_math_renderer("mathml", (write_formula, None), (write_formula, None))
