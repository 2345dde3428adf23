"""The web server, built on waitress: connection limits, TLS, threads."""
