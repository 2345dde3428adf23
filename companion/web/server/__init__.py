"""What is built round waitress: connection limits, TLS, threads."""
