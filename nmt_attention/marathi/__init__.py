"""What is known about Marathi: word forms, kinds of errors, and names."""
