"""A server that prints where it must not, and is gone before it answers."""

print("Starting up ...")
raise ValueError("the settings file is missing")
