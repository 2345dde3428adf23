"""The description of the JSON interface, in the form of OpenAPI."""
