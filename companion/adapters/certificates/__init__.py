"""Certificates for HTTPS: an authority of the device's own, and what it vouches for (ADR 38)."""
