"""The report, its explanations, corrections and scores."""
