"""Which events of Master Builder are news of their own."""

QUIET = frozenset(
    {"OpportunityCame", "ContractsPhaseBegan", "EventsPhaseBegan", "BuildPhaseBegan", "IncomePhaseBegan"}
    | {"WorkersReturned", "EventReached"}
)
"""Events that the page shows anyway; as consequences they would only make rows long."""

CORRECTED = frozenset(
    {"MoneyCorrected", "WorkerCorrected", "ContractCorrected", "TurnCorrected", "CashCounted"}
    | {"PlayerRenamed", "PlayerReplaced"}
)
"""Events by which the banker puts something right."""
