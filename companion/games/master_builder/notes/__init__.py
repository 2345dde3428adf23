"""What to hand over in notes, and who should hold which: beside the books, without any effect on them."""
