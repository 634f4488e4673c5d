"""Word links: an aligner that learns them, links given with a corpus, guided attention, and scores of alignments."""
