"""Judge machine translation with n-gram metrics over words, morphemes and POS tags.

One direction: text → layers → counts → scores → correlations → report.
"""

__version__ = "0.1.0"
