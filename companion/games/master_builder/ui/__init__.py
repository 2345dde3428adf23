"""The pages of Master Builder, as values for its templates."""
