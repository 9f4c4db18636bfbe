"""Static files with a content hash in their name, ES module imports included."""

from servestatic.storage import CompressedManifestStaticFilesStorage


class Storage(CompressedManifestStaticFilesStorage):
    """Rewrites `import … from "./x.js"` to hashed names, so that no import map is needed."""

    support_js_module_import_aggregation = True
