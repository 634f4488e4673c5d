"""Other ways to search than greedily or by beam: sampling, ensembles, minimum Bayes risk."""
