"""Heatmaps, diagrams, animations and the fonts they need."""
