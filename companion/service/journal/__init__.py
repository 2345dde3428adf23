"""What happened, kept and folded: entries, undo and redo, play files, answers that may be asked for twice."""
