"""Fields that depend on a solver's order of summation, with their tolerances."""

SOLVED = ["qacc", "qacc_warmstart", "qfrc_constraint", "cacc", "cfrc_int", "cfrc_ext"]
SOLVERS_DIGITS = {"rtol": 1e-9, "atol": 1e-9}
