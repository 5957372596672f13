"""Films of a run, drawn without a browser: the page's solid arm, rasterised here, for an installed encoder to write."""
