"""Master Builder (Wolfgang Kramer and Hartmut Witt, 2008): rules, money and reading of its cards."""
