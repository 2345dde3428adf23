"""From pixels to millimetres: the lens, the plane of the table, its zones, and the printed mat.

``board`` and ``lens`` calibrate the lens; ``mat`` locates the printed mat in every frame and with it plane and zones;
``profile`` stores the results, one file for each camera.
"""
