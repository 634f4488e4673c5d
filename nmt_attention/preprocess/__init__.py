"""Texts as people type them, before and behind a model that knows sentences of common words.

    rules.tsv         what differs between cases, as rows: abbreviations, spellings of haste, signs, forms of numbers
    rules             reads it, for Python and the page
    segment           a text into pieces to translate, and what stands around them
    protect           names, numbers, addresses, each behind a placeholder; `reveal` writes them out again
    terms             a user's own words and phrases, and how they are translated
    verify            of the hypotheses the one that loses nothing, else a line about it
    preprocessor      the three together: `prepare` before the search, `finish` behind it
    language          which language a text is in
    doubts            words that training had not, and spelling suggestions
    transliterator    names letter by letter in Devanagari

The page's `segment.js`, `protect.js` and `preprocessor.js` have the same functions.
"""
