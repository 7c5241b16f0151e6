project = "A model in L1"
html_js_files = [("../../../tessera/embed/tessera-playground.js", {"type": "module"})]
