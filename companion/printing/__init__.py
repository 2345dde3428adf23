"""Things for the printer: sheets of labels as vector PDF, single labels as pictures."""
