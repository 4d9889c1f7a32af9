"""Coverage-guided fuzzing of whatever reads files of others: `make fuzz`."""
