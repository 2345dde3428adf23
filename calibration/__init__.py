"""From pixels to millimetres: the lens, the plane of the table, its named zones, and the printed mat.

``board`` and ``lens`` find out how the lens bends straight lines; ``mat`` and ``mat_sight`` find the printed mat in
every frame, and with it the plane and the zones; ``profile`` keeps what was found, one file a camera.
"""
