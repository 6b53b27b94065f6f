"""One program per contender: `CLIENT TRIPS CHUNKS CHARACTERS AGENT...`.

Each starts the agent, and prints one JSON object: `trips` (prompts with one chunk each, one after
another) and `chunks` (of one flood) per second, `large` (one update of so many characters) in
milliseconds. It fails where an update is missing.
"""
