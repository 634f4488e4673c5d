"""How the models in the package are trained, measured and described."""
