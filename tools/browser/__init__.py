"""Checks of the site and of the exported page in real browsers, and of the page's JavaScript."""
