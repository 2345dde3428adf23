"""One file a port: files, databases, cameras, clocks. Only bootstrap and cli know them."""
