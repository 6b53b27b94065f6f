"""Agents and clients at work: the generated bindings, the official SDKs, bare json."""
