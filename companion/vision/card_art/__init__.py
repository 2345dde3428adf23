"""Recognise cards without labels by what is printed on them."""
