"""Read QR codes of any kind in a picture: zxing-cpp, ZBar, and a decoder of its own for bent and damaged codes."""
