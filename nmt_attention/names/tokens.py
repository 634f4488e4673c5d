"""What in a sentence may be hidden: names in any Latin letters, numbers of every form, and what is copied as it is.

A number keeps its digits, in Devanagari: dates, ranges, fractions, amounts, ordinals and times are one number each.
Addresses, names of files, handles, codes and words of another script are copied. The page's `names.js` has the same
patterns and rules.
"""

import re

from .transliterator import LATIN

_UPPER = "".join(c for c in map(chr, (*range(0x41, 0x5B), *range(0xC0, 0x250), *range(0x1E00, 0x1F00))) if c.isupper())
_EXTENSIONS = (
    "txt|pdf|docx?|xlsx?|pptx?|odt|rtf|epub|csv|tsv|json|xml|html?|css|php|py|ipynb|js|ts|java|cpp|c|h|sh|bat|md|tex|bib"
    "|zip|tar|gz|tgz|7z|rar|png|jpe?g|gif|svg|bmp|webp|mp[34]|wav|ogg|avi|mov|mkv|exe|apk|dmg|iso|log|ini|cfg|ya?ml"
    "|toml|sql|db|npz|npy"
)
_DOMAINS = "com|org|net|edu|gov|mil|int|info|biz|io|ai|app|dev|tv|in|uk|us|de|fr|eu|jp|cn|ru|au|ca|nz|za|br"
_REST = r'[^ \t<>"“”‘’]*[\w/=&%#+-]'  # of an address: its last character is no mark of the sentence

# Classes stand in brackets, so that `deploy.browser` can replace them by lists of letters.
COPIED = (
    rf"(?<![\w@.])(?:(?:[A-Za-z][A-Za-z0-9+.-]*://|www[.]|mailto:){_REST}"
    rf"|[\w.+-]*[\w+-]@[\w-]+(?:[.][\w-]+)+"
    rf"|(?:[A-Za-z0-9-]+[.])+(?:{_DOMAINS})(?:[:/]{_REST})?(?![\w.-]*[\w@])"
    rf"|[\w-]+(?:[.][\w-]+)*[.](?:{_EXTENSIONS})(?![\w.-]*[\w])"
    r"|[\d]{1,3}(?:[.][\d]{1,3}){3}(?![\w.]*[\d])"
    rf"|[A-Za-z]:\\{_REST}|(?:~|[.][.]?)?/[A-Za-z]{_REST}"
    r"|@[A-Za-z][\w]*(?:[.][\w]+)*|#[\w]*[A-Za-z_\u0900-\u097f][\w]*"
    r"|[A-Za-z]+[\d][\w]*(?:[.][\d]+)*|[A-Z][A-Z]+-[\d]+|[A-Z]+&[A-Z]+)(?![\w])"
    r"|[\u0370-\u0963\u0970-\u1dbf\u1f00-\u1fff\u200c\u200d\u2c80-\u2dff\u3040-\ud7a3]+"
)
_UNIT = r"(?: ?%| ?°[CF]?|st|nd|rd|th|['’]?s|(?: ?[ap]m| ?[ap][.]m(?:[.](?=[,;:]? *[a-z(]))?)|[A-Za-z]+[\d]*)?"
NUMBERS = (
    r"(?<![\w.,:])(?:(?:(?:[$€£¥₹]|Rs[.]?|INR) ?|(?<![\w])[+#−-])?"
    rf"(?:[+]?[\d]{{1,5}}(?:[ -][\d]{{3,}})+|[(][\d]{{2,5}}[)] ?[\d]{{3,}}(?:[ -][\d]{{3,}})*"
    rf"|[\d]+(?:[.,:/–-][\d]+)*){_UNIT})(?![\w])"
)
_WORDS = (
    rf"(?<![\w-])(?<![\w]['’])[{LATIN}]+(?:(?:['’ʼ](?=[{_UPPER}]|[{LATIN}]{{4}})|-(?=[{_UPPER}]))[{LATIN}]+)*(?![\w-])"
)
TOKEN = re.compile(f"({COPIED})|({NUMBERS})|{_WORDS}")  # groups: copied, number

# How a number is written, digits apart: patterns and replacements, applied in this order.
RESPELLED = (
    (r"^(?:Rs[.]?|INR) ?", "₹"),
    ("^1st$", "१ला"),
    ("^2nd$", "२रा"),
    ("^3rd$", "३रा"),
    ("^4th$", "४था"),
    (r"^(.*[\d])(?:st|nd|rd|th)$", r"\1वा"),
    (r"^(.*[\d])['’]?s$", r"\1"),
    (r"^((?:12|[1-3])(?:[.:][\d]+)?) ?p[.]?m[.]?$", r"दुपारी \1"),
    (r"^([4-7](?:[.:][\d]+)?) ?p[.]?m[.]?$", r"संध्याकाळी \1"),
    (r"^(12(?:[.:][\d]+)?) ?a[.]?m[.]?$", r"रात्री \1"),
    (r"^([1-3](?:[.:][\d]+)?) ?a[.]?m[.]?$", r"पहाटे \1"),
    (r"^(.*[\d]) ?a[.]?m[.]?$", r"सकाळी \1"),
    (r"^(.*[\d]) ?p[.]?m[.]?$", r"रात्री \1"),
)
ORDINAL = re.compile("(?:st|nd|rd|th)$")
_MONTHS = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*[.]?"
AFTER_MONTH, BEFORE_MONTH = f"(?<![A-Za-z]){_MONTHS} (?:the )?$", f" (?:of )?{_MONTHS}(?![A-Za-z])"
AFTER_PREPOSITION = r"(?<![A-Za-z])(?:on|in|at|from|to|of|for|by|with|since|until|after|before) (?:[a-z]+ )?$"
_RESPELLED = [(re.compile(pattern), replacement) for pattern, replacement in RESPELLED]
DIGITS = str.maketrans("0123456789", "०१२३४५६७८९")
# What joins the parts of a list of names or of numbers, and how that is written.
LISTED_BY = re.compile(r",? (?:and|or|&) |, ?")
JOINED = ((r",? (?:and|&) ", " आणि "), (",? or ", " किंवा "))
_JOINED = [(re.compile(pattern), replacement) for pattern, replacement in JOINED]
# Models speak of amounts of money, telephone numbers and measures (5kg) as of a thing.
THING = re.compile(r"[$€£¥₹RI]|[+(]?(?:[\d][() -]*){9,}$|[\d.,]+(?!(?:st|nd|rd|th|s|[ap]m)$)[A-Za-z]")


def spell_number(number: str, before: str, after: str) -> str:
    """Returns a number in Devanagari: `१२/०५/२०२४`, `₹४५०`, `२२वा`, `रात्री १०.३०`.

    An ordinal is masculine, oblique (`२२व्या`) after a preposition; with a month it is the number alone.

    Args:
        number: as it stands in a sentence.
        before, after: the rest of the sentence.
    """
    if ORDINAL.search(number):
        if re.search(AFTER_MONTH, before) or re.match(BEFORE_MONTH, after):
            number = ORDINAL.sub("", number)
        elif re.search(AFTER_PREPOSITION, before):
            number = ORDINAL.sub("व्या", number)
    for pattern, replacement in _RESPELLED:
        number = pattern.sub(replacement, number)
    return number.translate(DIGITS)


def number_kind(number: str) -> str:
    """Returns whether a model reads a number as a number, or, like a telephone number or a measure, as a thing."""
    return "word" if THING.match(number) else "number"


def spell_joint(between: str) -> str:
    """Returns how what stands between two names of a list is written."""
    for pattern, replacement in _JOINED:
        between = pattern.sub(replacement, between)
    return between
