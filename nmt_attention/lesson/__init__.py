"""What only the lessons need: their runs, figures, quiz, widgets and ladder of checks."""
