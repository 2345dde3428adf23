"""Certificates for HTTPS: the device's own authority and its certificates, or one from elsewhere (ADR 38)."""
