"""The best building plan, and why it is."""
