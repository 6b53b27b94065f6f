"""One program per contender, each an agent of protocol version 1 on stdio.

A prompt "flood N" is answered with N message chunks, "large N" with one tool call update of N
characters, any other text with one chunk that repeats it.
"""
