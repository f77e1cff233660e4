"""What the log tells: filters, figures, suggestions, replay. Pure over records; the commands draw the results."""
