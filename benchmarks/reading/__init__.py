"""How much is read, of tables and of photographs, and at what price, beside the readers worth naming."""

import companion  # noqa: F401 - before numpy, for it says how many threads numpy may use
