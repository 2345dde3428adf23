"""Recording events in the state.  No rule is here, and no price is looked up."""
