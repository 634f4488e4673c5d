"""Files of sentence pairs: found, downloaded, checked, read and written whole."""
