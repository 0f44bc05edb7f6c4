"""Set before numpy is imported."""

import os

# The matrices of the tests are small: more threads would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
