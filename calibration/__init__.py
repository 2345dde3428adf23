"""From pixels to millimetres: the plane of the table and its named zones.

First form: a plane from four or more known points, and zones from a file.  Finding those points by itself
(corner markers of the mat, lens, profiles) comes with the full calibration.
"""
