"""From what a camera saw to what a person may accept: scanning, proposals, questions, the dial."""
