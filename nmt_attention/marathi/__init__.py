"""Marathi for readers of English: Latin letters, glosses, and rules that find errors of translations."""
