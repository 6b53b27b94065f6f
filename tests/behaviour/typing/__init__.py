"""What type checkers and editors make of the generated package."""
