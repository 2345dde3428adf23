"""What people see of Master Builder: scene, sentences, sheets, set-up, rule book.  No Flask, no files, no threads."""
