"""Names of languages as WMT files write them."""

# The code shown, then the other names that WMT files use. WMT wrote "cz" up to 2011.
_LANGUAGES = (
    "all All",
    "cs cz ces cze Czech",
    "de deu ger German",
    "en eng English",
    "es spa Spanish",
    "fi fin Finnish",
    "fr fra fre French",
    "hi hin Hindi",
    "hu hun Hungarian",
    "ro ron rum Romanian",
    "ru rus Russian",
    "tr tur Turkish",
    "xx Multisource",
)
_CODES = {name.casefold(): names.split()[0] for names in _LANGUAGES for name in names.split()}


def language_code(name: str) -> str:
    """The ISO 639-1 code of a language name or code as WMT files write it.

    "xx" is several sources at once, "all" the task that mixes sources. A name that is not known
    comes back in lower case, so that it can still be selected by the word that the file uses.
    """
    return _CODES.get(name.casefold(), name.casefold())
