"""A trained model elsewhere: as a SavedModel, or on a web page."""
