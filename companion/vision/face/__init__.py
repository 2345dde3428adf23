"""Bare cards told by their faces: found by their outline, straightened, compared with pictures that were taught."""
