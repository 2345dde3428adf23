"""Who may see and do what: logins, guests, consents, preferences."""
