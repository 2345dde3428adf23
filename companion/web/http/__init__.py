"""Parts that every request goes through: authentication, idempotency, problems, headers, streams."""
