"""A run on disk: the resumable training, its checkpoints, its history, its lock, and several devices."""
