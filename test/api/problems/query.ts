import { apiProblem, parameterProblem } from '../../../src/api/problems/index.ts'
import type { SentenceRow } from './table.ts'

const NAMES = { known: ['title', 'year'], listed: ['title', 'year'] }
const MANY_NAMES = { known: ['title', 'year', 'pages'], listed: ['title'] }

const PARAMETERS: readonly SentenceRow[] = [
  [
    apiProblem('InvalidQueryEncoding'),
    400,
    'The query has a "%" or a byte that does not begin a UTF-8 character.',
  ],
  [
    apiProblem('QueryTooLong', { bytes: 9_000, maxBytes: 8_192 }),
    414,
    'The query is too long: percent-encoded and with a cursor, the links to its pages would have 9000 bytes; the limit is 8192.',
  ],
  [
    apiProblem('UnnamedParameter', NAMES),
    400,
    'The query has a value without the name of a parameter; possible: title, year.',
  ],
  [
    parameterProblem('UnknownParameter', 'titel', { name: 'titel', ...NAMES }),
    400,
    'titel: is not a parameter here; did you mean "title"?',
  ],
  [
    parameterProblem('UnknownParameter', 'by', { name: 'by', meant: 'year', ...NAMES }),
    400,
    'by: is not a parameter here; did you mean "year"?',
  ],
  [
    parameterProblem('UnknownParameter', 'x', { name: 'x', ...MANY_NAMES }),
    400,
    'x: is not a parameter here; possible: title and 2 more, which the search template of the collection has.',
  ],
  [
    parameterProblem('UnknownParameter', 'author.zzzzzzzz', {
      name: 'author.zzzzzzzz',
      known: ['author.name', 'author.name.ne'],
      listed: ['author.name'],
      within: { className: 'Author', path: 'author' },
    }),
    400,
    'author.zzzzzzzz: is not a parameter here; possible: author.name and 1 more for Author.',
  ],
  [
    parameterProblem('UnknownParameter', 'order[author.nme]', {
      name: 'order[author.nme]',
      known: ['order[author.name]'],
      listed: [],
      within: { className: 'Author', path: 'author' },
    }),
    400,
    'order[author.nme]: is not a parameter here; did you mean "order[author.name]"?',
  ],
  [
    parameterProblem('UnknownParameter', 'owner.x', {
      name: 'owner.x',
      known: [],
      listed: [],
      within: { className: 'Person', path: 'owner' },
    }),
    400,
    'owner.x: is not a parameter here; Person has nothing to filter by.',
  ],
  [
    parameterProblem('UnknownParameter', 'limit', { name: 'limit', purpose: 'pageSize', ...NAMES }),
    400,
    'limit: is not a parameter here; use "itemsPerPage" for the number of members on a page.',
  ],
  [
    parameterProblem('UnknownParameter', 'offset', { name: 'offset', purpose: 'offset', ...NAMES }),
    400,
    'offset: is not a parameter here; use "page" for the number of a page, from 1; the links of "view" reach all members.',
  ],
  [
    parameterProblem('UnknownParameter', 'cursor', { name: 'cursor', purpose: 'page', ...NAMES }),
    400,
    'cursor: is not a parameter here; use "page" for the number of a page, from 1; cursors are in the links of "view".',
  ],
  [
    parameterProblem('UnknownParameter', 'orderby', {
      ...{ name: 'orderby', purpose: 'order', sorted: 'year' },
      ...NAMES,
    }),
    400,
    'orderby: is not a parameter here; sort with "sort=year", "sort=-year" or "order[year]=desc".',
  ],
  [
    parameterProblem('UnknownParameter', 'orderby', { name: 'orderby', purpose: 'order', ...NAMES }),
    400,
    'orderby: is not a parameter here; possible: title, year.',
  ],
  [
    parameterProblem('UnknownParameter', 'search', { name: 'search', purpose: 'search', ...NAMES }),
    400,
    'search: is not a parameter here; search for words with "q".',
  ],
  [
    parameterProblem('UnknownParameter', 'select', { name: 'select', purpose: 'fields', ...NAMES }),
    400,
    'select: is not a parameter here; choose properties with "fields", with commas between them.',
  ],
  [
    parameterProblem('UnknownParameter', '_embed', { name: '_embed', purpose: 'include', ...NAMES }),
    400,
    '_embed: is not a parameter here; get linked members with "include", such as "include=author".',
  ],
  [
    parameterProblem('UnknownParameter', 'deleted', { name: 'deleted', purpose: 'deleted', ...NAMES }),
    400,
    'deleted: is not a parameter here; deleted members are listed only where the API file has "history: true" for their class.',
  ],
  [
    parameterProblem('UnknownParameter', 'filter', { name: 'filter', purpose: 'filter', ...NAMES }),
    400,
    'filter: is not a parameter here; filter by the name of a property, such as "name=value" or "name[gte]=value".',
  ],
  [parameterProblem('DuplicateParameter', 'page', {}), 400, 'page: is given more than once; send it once.'],
  [
    parameterProblem('ConflictingParameters', 'page', { others: ['after', 'before'] }),
    400,
    'page: cannot be combined with after or before; leave one of them out.',
  ],
]

const YEAR = { property: 'year', operators: ['year', 'year[gt]'] }

const FILTERS: readonly SentenceRow[] = [
  [
    parameterProblem('NotFilterable', 'home', { property: 'home', reason: 'embedded' }),
    400,
    'home: home cannot be filtered: it is an embedded value; filter by a property within it.',
  ],
  [
    parameterProblem('NotFilterable', 'books', { property: 'books', reason: 'reverse' }),
    400,
    'books: books cannot be filtered: it stands for all members that link here; filter by one of their properties, or with "exists".',
  ],
  [
    parameterProblem('NotFilterable', 'home.zip', { property: 'home.zip', reason: 'beyondLimit' }),
    400,
    'home.zip: home.zip cannot be filtered: its class has too many properties within embedded values.',
  ],
  [
    parameterProblem('NotFilterable', 'name', { property: 'name', reason: 'textByLanguage' }),
    400,
    'name: name cannot be filtered: it is text by language; search it with "q".',
  ],
  [
    parameterProblem('NotFilterable', 'age', { property: 'age', reason: 'datatype', datatype: 'duration' }),
    400,
    'age: age cannot be filtered: values of type duration are only stored and returned.',
  ],
  [
    parameterProblem('NotFilterable', 'notes', { property: 'notes', reason: 'apiFile' }),
    400,
    'notes: notes cannot be filtered: the API file says so.',
  ],
  [
    parameterProblem('UnknownOperator', 'year[near]', { name: 'year[near]', ...YEAR }),
    400,
    'year[near]: is not supported; year can be filtered with year, year[gt].',
  ],
  [
    parameterProblem('UnknownOperator', 'year[GT]', { name: 'year[GT]', meant: 'year[gt]', ...YEAR }),
    400,
    'year[GT]: is not supported; did you mean "year[gt]"?',
  ],
  [
    parameterProblem('PathTooLong', 'a.b.c.d.e', { max: 4 }),
    400,
    'a.b.c.d.e: the path has too many names; the limit is 4.',
  ],
  [
    parameterProblem('InvalidGroup', 'or[title]', {}),
    400,
    'or[title]: alternatives are written as or[a][title] or or[1][pages.gte]: the group is one letter or a number below 1000, and an operator stands behind a dot.',
  ],
  [
    parameterProblem('InvalidFilterValue', 'on', {
      text: 'may',
      problem: { code: 'WrongDatatype', at: {}, values: { datatype: 'date' } },
    }),
    400,
    'on: "may" must be a date of the calendar such as "2024-02-29".',
  ],
  [
    parameterProblem('InvalidFilterValue', 'isNew', { text: '1', expected: 'boolean' }),
    400,
    'isNew: "1" must be true or false.',
  ],
  [
    parameterProblem('InvalidFilterValue', 'pages', { text: 'many', expected: 'integer' }),
    400,
    'pages: "many" must be an integer such as 12.',
  ],
  [
    parameterProblem('InvalidFilterValue', 'price', { text: 'low', expected: 'number' }),
    400,
    'price: "low" must be a number such as 12.5.',
  ],
  [
    parameterProblem('UnknownEnumValue', 'state', { text: 'opne', known: ['open'], listed: ['open'] }),
    400,
    'state: "opne" is not one of its values; did you mean "open"?',
  ],
  [
    parameterProblem('UnknownEnumValue', 'state', { text: 'x', known: ['open'], listed: ['open'] }),
    400,
    'state: "x" is not one of its values; possible: open.',
  ],
  [
    parameterProblem('UnknownEnumValue', 'state', { text: 'x', known: ['open', 'shut'], listed: ['open'] }),
    400,
    'state: "x" is not one of its values; possible: open and 1 more.',
  ],
  [
    parameterProblem('EmptyFilterValue', 'title[contains]', {}),
    400,
    'title[contains]: every text contains ""; send the text to look for.',
  ],
  [apiProblem('TooManyFilters', { count: 51, max: 50 }), 400, 'The query has 51 filters; the limit is 50.'],
  [
    parameterProblem('TooManyFilterValues', 'title', { count: 101, max: 100 }),
    400,
    'title: is given 101 times; the limit is 100.',
  ],
  [
    parameterProblem('NoSearchableText', 'q', { className: 'Reading' }),
    400,
    'q: Reading has no filterable text to search.',
  ],
  [
    parameterProblem('NoSearchWord', 'q', { text: '?!' }),
    400,
    'q: "?!" has no word in it; a word consists of letters and digits.',
  ],
  [
    parameterProblem('TooManySearchWords', 'q', { count: 33, max: 32 }),
    400,
    'q: has 33 words; the limit is 32.',
  ],
]

const SORTING: readonly SentenceRow[] = [
  [
    parameterProblem('NotSortable', 'sort', { property: 'tags', reason: 'many' }),
    400,
    'sort: members cannot be sorted by tags: it may have many values.',
  ],
  [
    parameterProblem('NotSortable', 'sort', { property: 'notes', reason: 'unfilterable' }),
    400,
    'sort: members cannot be sorted by notes: it has no index, so members can be neither filtered nor sorted by it.',
  ],
  [
    parameterProblem('NotSortable', 'sort', { property: 'author', reason: 'noLabel' }),
    400,
    'sort: members cannot be sorted by author: the label of the linked members has no property to sort by; sort by another of their properties.',
  ],
  [
    parameterProblem('UnknownSortProperty', 'sort', { name: 'titel', known: ['title'] }),
    400,
    'sort: "titel" is not a property; did you mean "title"?',
  ],
  [
    parameterProblem('UnknownSortProperty', 'sort', { name: 'by', known: ['title'], meant: 'title' }),
    400,
    'sort: "by" is not a property; did you mean "title"?',
  ],
  [
    parameterProblem('UnknownSortProperty', 'sort', { name: 'x', known: ['title'] }),
    400,
    'sort: "x" is not a property; send names of properties with commas between them, and a "-" before those in descending order.',
  ],
  [
    parameterProblem('InvalidSortDirection', 'order[title]', { text: 'up' }),
    400,
    'order[title]: "up" must be asc or desc.',
  ],
  [
    parameterProblem('DuplicateOrder', 'sort', { property: 'title' }),
    400,
    'sort: the query sorts by title already; name it once.',
  ],
  [
    apiProblem('TooManyOrders', { count: 5, max: 4 }),
    400,
    'The query sorts by 5 properties; the limit is 4.',
  ],
]

const PAGING: readonly SentenceRow[] = [
  [
    parameterProblem('InvalidCount', 'page', { text: '0', least: 1 }),
    400,
    'page: "0" is not a whole number that is 1 or greater.',
  ],
  [
    parameterProblem('InvalidCount', 'offset', { text: '-1', least: 0 }),
    400,
    'offset: "-1" is not a whole number that is 0 or greater.',
  ],
  [
    parameterProblem('InvalidCount', 'itemsPerPage', { text: '0', least: 1, max: 1_000 }),
    400,
    'itemsPerPage: "0" is not a whole number from 1 to 1000.',
  ],
  [
    parameterProblem('OffsetTooFar', 'offset', { offset: 10_000, reachable: 10_000 }),
    400,
    'offset: 10000 is too far; an offset reaches only the first 10000 members. Cursors reach all: leave it out and follow "next".',
  ],
  [
    parameterProblem('PageTooFar', 'page', { page: 500, reachable: 10_000 }),
    400,
    'page: 500 is too far; page numbers reach only the first 10000 members. Cursors reach all: leave "page" out and follow "next".',
  ],
  [
    parameterProblem('InvalidCursor', 'after', {}),
    400,
    'after: this is not a cursor; take it from a link of the view, whole and unchanged, or begin again without it.',
  ],
  [
    parameterProblem('CursorOfOtherQuery', 'after', {}),
    400,
    'after: the cursor belongs to another order or another collection; begin again without it.',
  ],
]

const INCLUDES: readonly SentenceRow[] = [
  [
    parameterProblem('UnknownInclude', 'include', {
      path: 'auhtor',
      className: 'Book',
      known: ['author'],
      listed: ['author'],
    }),
    400,
    'include: "auhtor" is neither a link of Book nor two steps that lead to one; did you mean "author"?',
  ],
  [
    parameterProblem('UnknownInclude', 'include', {
      path: 'x',
      className: 'Book',
      known: ['author', 'author.home'],
      listed: ['author'],
    }),
    400,
    'include: "x" is neither a link of Book nor two steps that lead to one; possible: author and 1 more.',
  ],
  [
    parameterProblem('UnknownInclude', 'include', {
      path: 'author,publisher',
      className: 'Book',
      known: ['author', 'publisher'],
      listed: ['author', 'publisher'],
    }),
    400,
    'include: "author,publisher" is neither a link of Book nor two steps that lead to one; send the parameter once for each path, without commas.',
  ],
  [
    parameterProblem('IncludedAnyway', 'include', { path: 'home' }),
    400,
    'include: home is an embedded value, which is always included.',
  ],
  [parameterProblem('NoLinks', 'include', { className: 'Topic' }), 400, 'include: Topic has no links.'],
  [
    parameterProblem('TooManyIncludes', 'include', { count: 11, max: 10 }),
    400,
    'include: has 11 paths; the limit is 10.',
  ],
]

const FIELDS: readonly SentenceRow[] = [
  [
    parameterProblem('UnknownField', 'fields', {
      path: 'titel',
      className: 'Book',
      known: ['title', 'author'],
      listed: ['title', 'author'],
    }),
    400,
    'fields: "titel" does not lead to a property of Book; did you mean "title"?',
  ],
  [
    parameterProblem('UnknownField', 'fields', {
      path: 'x',
      className: 'Book',
      known: ['title', 'author'],
      listed: ['title'],
    }),
    400,
    'fields: "x" does not lead to a property of Book; possible: title and 1 more.',
  ],
  [
    parameterProblem('FieldBeyondLink', 'fields', { path: 'author.name', link: 'author' }),
    400,
    'fields: author.name is a property of another member; add "include=author", or ask for author, which is its address.',
  ],
]

export const QUERY_SENTENCES = [...PARAMETERS, ...FILTERS, ...SORTING, ...PAGING, ...INCLUDES, ...FIELDS]
