"""How much is read, of tables and of photographs, and at what price, beside the readers worth naming."""
