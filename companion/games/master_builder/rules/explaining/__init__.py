"""Why a figure is what it is: the changes behind it, and what it is the sum of."""
