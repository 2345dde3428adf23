"""Sheets for the printer as vector PDF: labels, cards, mats, join cards and calibration sheets."""
