"""What a constraint solver leaves behind: its sums are its own, so that these have its digits."""

SOLVED = ["qacc", "qacc_warmstart", "qfrc_constraint", "cacc", "cfrc_int", "cfrc_ext"]
SOLVERS_DIGITS = {"rtol": 1e-9, "atol": 1e-9}
