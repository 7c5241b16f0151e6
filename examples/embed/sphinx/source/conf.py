project = "A model in L1"
html_theme = "basic"
html_js_files = [("../../../tessera/embed/tessera-playground.js", {"type": "module"})]
html_show_sourcelink = False
html_copy_source = False


def setup(app):
    # The other scripts serve the search, which one page does not need.
    def own_script(app, name, template, context, doctree):
        context["script_files"] = [file for file in context["script_files"] if "tessera" in str(file)]

    app.connect("html-page-context", own_script)
