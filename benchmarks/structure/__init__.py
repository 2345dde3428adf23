"""How the project is built, counted: files, imports, docstrings, and what a command and a card enter."""
