"""What teachers use: copies for learners, grading, slides, questions and the site."""
