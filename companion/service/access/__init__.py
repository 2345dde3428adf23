"""Access: logins, guests, consents, preferences."""
