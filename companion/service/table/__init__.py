"""A table at work: commands in, entries out, and what may be asked of one."""
