# Sphinx configuration for `make docs`: the look of the pages, which docs/site/pages.py stages.
import pathlib
import re

project = "Terrane"
author = "the authors of Terrane"
extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4  # the same anchors as on code hosts
highlight_language = "none"  # blocks without a language are not highlighted

html_theme = "furo"
html_title = "Terrane"
html_static_path = ["_static"]
html_css_files = ["terrane.css"]
html_use_index = False  # api/index lists every name
html_show_sourcelink = False
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
pygments_style = "friendly"
pygments_dark_style = "native"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#2f6b3a", "color-brand-content": "#2f6b3a"},
    "dark_css_variables": {"color-brand-primary": "#8cc98f", "color-brand-content": "#8cc98f"},
}


def fix_furo(app, exception):
    """Debian 12's furo is not bundled: its script is a module that is loaded as a plain script, and its style ignores the system's dark mode."""
    static = pathlib.Path(app.outdir) / "_static"
    script = static / "scripts/furo.js"
    if exception or not script.exists():
        return
    first, _, rest = script.read_text().partition("\n")
    if first.startswith("import Gumshoe"):
        script.write_text((static / "scripts/gumshoe-patched.js").read_text() + rest)
    style = (static / "styles/furo.css").read_text()
    dark = re.search(r'body\[data-theme="dark"\] \{([^}]*)\}', style)
    if dark and "prefers-color-scheme" not in style:
        colours = re.sub(r"--color-brand-[^;]*;", "", dark.group(1))
        with (static / "terrane.css").open("a") as ours:
            ours.write(f'\n@media (prefers-color-scheme: dark) {{ body:not([data-theme="light"]) {{{colours}}} }}\n')


def setup(app):
    app.connect("build-finished", fix_furo)
