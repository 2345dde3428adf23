"""The five phases of a round: each with its own rules, follow-ups and offers, in its own file."""
