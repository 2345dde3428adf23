"""The rules of Men at Work: one turn after the other, pieces that are counted, certificates, awards and three ends."""
