"""Where the labels of a deck may lie in a picture: two small nets, and their weights."""
