"""What the scorer of directions records and measures."""
