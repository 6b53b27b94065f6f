"""What the generated package does, seen from outside."""
