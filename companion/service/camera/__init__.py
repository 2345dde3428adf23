"""From what a camera sees to what a person may accept: scanning, detectors, proposals, calibration."""
