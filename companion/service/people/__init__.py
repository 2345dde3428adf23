"""Who is there and what they may do: devices, PINs, agreements, preferences."""
