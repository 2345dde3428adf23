"""One label: what its symbol looks like, drawn, blurred and fitted to a picture."""
