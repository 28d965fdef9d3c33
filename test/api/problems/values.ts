import { apiProblem, apiViolation } from '../../../src/api/problems/index.ts'
import { RETRY, type SentenceRow, type ViolationRow } from './table.ts'

const AT = { at: { line: 2, column: 7 } }

export const VALUE_SENTENCES: readonly SentenceRow[] = [
  [
    apiProblem('MalformedJson', { expected: 'colon', found: '1' }, AT),
    400,
    'This is not JSON: at line 2, column 7 there is "1" where a colon is expected.',
  ],
  [
    apiProblem('MalformedJson', { expected: 'value', found: undefined }, AT),
    400,
    'This is not JSON: at line 2, column 7 it ends where a value is expected.',
  ],
  [
    apiProblem('DuplicateKey', { key: 'a' }, AT),
    400,
    'The key "a" is in one object twice, again at line 2, column 7; send it once.',
  ],
  [
    apiProblem('JsonTooDeep', { maxDepth: 32 }, AT),
    400,
    'The JSON is nested more than 32 levels deep at line 2, column 7.',
  ],
  [
    apiProblem('NotOneNode', { count: 2 }),
    422,
    'The body must be one node of linked data, the member itself, not 2.',
  ],
  [apiProblem('StrayValue'), 422, 'The body has a value that belongs to no property; every value needs one.'],
  [
    apiProblem('ForeignContext', { address: 'http://a' }),
    422,
    'The context "http://a" is not known here, and no context is ever fetched; write its terms out in "@context".',
  ],
  [apiProblem('InvalidJsonLd', { reason: 'no.' }), 422, 'This is not JSON-LD: no.'],
  [
    apiProblem('UnprocessableJsonLd'),
    422,
    'The body is JSON-LD that cannot be processed; send it in the terms of this API.',
  ],
  [
    apiProblem('TooMuchJsonLd'),
    422,
    'The body is too much JSON-LD to be processed at once; send it in the terms of this API, or with a smaller "@context".',
  ],
  [
    apiProblem('JsonLdProcessorBusy', RETRY),
    503,
    'Too many bodies wait for the JSON-LD processor just now; try again shortly, or send this in the terms of this API.',
  ],
]

const LANGUAGES = 'an object of texts by language such as {"en": "Hello", "de": "Hallo"}'
const LINK = { collection: 'authors', templates: ['http://a/authors/{id}'], hasMore: false }

export const VALUE_VIOLATION_SENTENCES: readonly ViolationRow[] = [
  [apiViolation('RequiredValue', 'a'), 'is required.'],
  [apiViolation('BlankText', 'a'), 'is required: it must have a character that is not white space.'],
  [apiViolation('TooFine', 'a', { scale: 2 }), 'must have at most 2 digits after the point.'],
  [apiViolation('NotAList', 'a'), 'must be a list.'],
  [apiViolation('TooManyValues', 'a', { maxValues: 3 }), 'must have at most 3 values.'],
  [apiViolation('TooManyValues', 'a', { maxValues: 3, count: 4 }), 'must have at most 3 values, not 4.'],
  [apiViolation('WrongJsonType', 'a', { expected: 'object' }), 'must be an object.'],
  [apiViolation('WrongDatatype', 'a', { datatype: 'boolean' }), 'must be true or false.'],
  [
    apiViolation('WrongDatatype', 'a', { datatype: 'integer', found: 'string' }),
    'must be an integer such as -12, not a string.',
  ],
  [
    apiViolation('WrongDatatype', 'a', { datatype: 'integer', found: 'string', unquoted: '12' }),
    'must be an integer, not a string; send 12 without quotes.',
  ],
  [
    apiViolation('WrongDatatype', 'a', { datatype: 'integer', constraints: { minimum: 0 } }),
    'must be an integer such as 12.',
  ],
  [
    apiViolation('WrongDatatype', 'a', { datatype: 'integer', constraints: { minimum: 0.5, maximum: 3 } }),
    'must be an integer such as 3.',
  ],
  [
    apiViolation('WrongDatatype', 'a', { datatype: 'double', constraints: { enum: [1.5, 3] } }),
    'must be a number such as 1.5.',
  ],
  [
    apiViolation('WrongDatatype', 'a', { datatype: 'integer', constraints: { minimum: 0.5, maximum: 1.5 } }),
    'must be an integer.',
  ],
  [apiViolation('NulCharacter', 'a'), 'must not contain the character U+0000.'],
  [apiViolation('LoneSurrogate', 'a'), 'must not contain half a surrogate pair; send whole characters.'],
  [
    apiViolation('LosesDigits', 'a', { datatype: 'double' }),
    'would lose digits: a double has 15 to 17 significant ones, up to about 1.8e308.',
  ],
  [
    apiViolation('LosesDigits', 'a', { datatype: 'integer' }),
    'would lose digits: it must be between -9007199254740991 and 9007199254740991.',
  ],
  [apiViolation('FloatOutOfRange', 'a'), 'must be between -3.4028234e38 and 3.4028234e38.'],
  [apiViolation('TooManyDigits', 'a', { maxDigits: 100 }), 'must have at most 100 digits.'],
  [apiViolation('NoText', 'a'), `must have a text in at least one language: ${LANGUAGES}.`],
  [
    apiViolation('InvalidLanguageTag', 'a', { tag: '?' }),
    `must be ${LANGUAGES}; "?" is not a language tag such as "en" or "en-GB".`,
  ],
  [apiViolation('DuplicateLanguage', 'a', { tag: 'en' }), 'has two texts for "en"; send one.'],
  [apiViolation('TooManyLanguages', 'a', { maxLanguages: 9 }), 'must have at most 9 languages.'],
  [
    apiViolation('InvalidText', 'a', { tag: 'en', problem: apiViolation('TooLong', '', { maxLength: 1 }) }),
    'the text for "en" must have at most 1 character.',
  ],
  [apiViolation('TooLong', 'a', { maxLength: 2 }), 'must have at most 2 characters.'],
  [apiViolation('TooShort', 'a', { minLength: 2 }), 'must have at least 2 characters.'],
  [apiViolation('PatternMismatch', 'a', { pattern: '^a$' }), 'must match the pattern "^a$".'],
  [apiViolation('BelowMinimum', 'a', { minimum: 1 }), 'must be at least 1.'],
  [apiViolation('AboveMaximum', 'a', { maximum: 9 }), 'must be at most 9.'],
  [apiViolation('NotInEnum', 'a', { allowed: ['x', 'y'], isTruncated: false }), 'must be one of "x", "y".'],
  [apiViolation('NotInEnum', 'a', { allowed: [1], isTruncated: true }), 'must be one of 1 ….'],
  [
    apiViolation('UnknownProperty', 'titel', { className: 'Book', name: 'titel', known: ['title'] }),
    'is not a property of Book; did you mean "title"?',
  ],
  [apiViolation('UnknownProperty', 'x', { className: 'Book', name: 'x' }), 'is not a property of Book.'],
  [apiViolation('ReadOnly', 'a', { isNew: true }), 'is read-only; leave it out.'],
  [
    apiViolation('ReadOnly', 'a', { isNew: false }),
    'is read-only; send the value that is served, or leave it out.',
  ],
  [
    apiViolation('IncludedCollection', 'a'),
    'is a collection that was read with include; send its address and nothing but that, or leave it out. Its members are written at their own addresses.',
  ],
  [apiViolation('OneValueOnly', 'a', { count: 2 }), 'takes one value, not 2.'],
  [apiViolation('NoOrder', 'a'), 'has no order; send its values without "@list".'],
  [
    apiViolation('NotEmbedded', 'a', { className: 'Address' }),
    'must be an object with the properties of Address.',
  ],
  [
    apiViolation('UnexpectedKeyword', 'a', { keyword: 'language' }),
    'takes a value without a language; leave "@language" out.',
  ],
  [
    apiViolation('WrongValueType', 'a', { datatype: 'xsd:date' }),
    'must be of type xsd:date, or say no "@type".',
  ],
  [
    apiViolation('WrongContext', '@context', { className: 'Book', address: 'http://a/contexts/Book' }),
    'must be the context of Book, or its address http://a/contexts/Book, or be left out.',
  ],
  [apiViolation('WrongType', '@type', { className: 'Book' }), 'must be "Book" here, or be left out.'],
  [
    apiViolation('EmbeddedId', 'a/@id'),
    'cannot be here, since an embedded value has no address of its own; leave it out.',
  ],
  [
    apiViolation('IdOfNewMember', '@id', { canPut: false }),
    'is chosen by the server for a new member; leave it out.',
  ],
  [
    apiViolation('IdOfNewMember', '@id', { canPut: true }),
    'is chosen by the server for a new member; leave it out, or PUT to that address with If-None-Match: *.',
  ],
  [apiViolation('WrongId', '@id', { address: 'http://a/1' }), 'must be http://a/1 here, or be left out.'],
  [
    apiViolation('IdIsNoProperty', 'id', { className: 'Book', template: undefined }),
    'is not a property of Book; leave it out.',
  ],
  [
    apiViolation('IdIsNoProperty', 'id', { className: 'Book', template: 'http://a/books/{id}' }),
    'is not a property of Book; to choose an id, PUT to http://a/books/{id} with If-None-Match: *.',
  ],
  [apiViolation('UnknownKeyword', '@x'), 'is not understood here; leave it out.'],
  [
    apiViolation('UnknownReference', 'a', { name: '_:b' }),
    'no earlier operation of this batch creates a member called "_:b".',
  ],
  [
    apiViolation('InvalidLink', 'a', LINK),
    'must be the address of a member of authors, such as http://a/authors/{id}.',
  ],
  [
    apiViolation('InvalidLink', 'a', { ...LINK, hasMore: true }),
    'must be the address of a member of authors, such as http://a/authors/{id}, and nothing but that: a member that was read with include is written at its own address.',
  ],
  [
    apiViolation('InvalidLink', 'a', { ...LINK, meant: 'http://a/authors/ann' }),
    'must be the address of a member of authors; did you mean "http://a/authors/ann"?',
  ],
  [
    apiViolation('InvalidLink', 'a', { ...LINK, byId: { id: 'ann', address: 'http://a/authors/ann' } }),
    'must be the address of a member of authors, such as http://a/authors/{id}; if "ann" is its id, send "http://a/authors/ann".',
  ],
  [apiViolation('GraphNotTaken', '@graph'), 'is not understood here; send the member alone.'],
  [apiViolation('KeyNotTaken', '__proto__'), 'cannot be sent in this form.'],
  [
    apiViolation('NoMeaning', 'x', { name: 'x', known: ['title'] }),
    'has no meaning under the @context that was sent; possible: title.',
  ],
  [
    apiViolation('NoMeaning', 'x', { name: 'x', known: [], context: 'http://a/contexts/Book' }),
    'has no meaning under the @context that was sent; add http://a/contexts/Book to that.',
  ],
  [
    apiViolation('TooManyWords', '', { maxWords: 2_000, count: 2_001 }),
    'The texts of a member may have at most 2,000 different words, and these have 2,001; words of properties with `filterable: false` in the API file do not count.',
  ],
  [apiViolation('MoreViolations', ''), 'There are further violations.'],
  [apiViolation('DanglingLink', 'author', { id: 'ann' }), 'links to "ann", which does not exist.'],
  [apiViolation('NotUnique', 'isbn'), 'must be unique, and another member has this value.'],
  [
    apiViolation('NotUniqueTogether', 'customer', { properties: ['customer', 'year', 'number'] }),
    'must be unique together with year and number, and another member has the same values.',
  ],
]
