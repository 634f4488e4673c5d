"""The moving pictures of the lessons; `python -m tools.pictures` draws them."""
