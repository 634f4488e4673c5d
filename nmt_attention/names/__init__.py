"""Names and places: their lists, and how well a model that has not seen them writes them."""
