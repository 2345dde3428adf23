"""What is wrong with a certificate."""


class CertificateError(Exception):
    """A certificate cannot be used; the message is one line for the operator."""
