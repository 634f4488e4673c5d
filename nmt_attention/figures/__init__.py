"""Heatmaps and everything else that is drawn."""
