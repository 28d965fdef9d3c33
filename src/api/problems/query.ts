import type { ProblemAnswers } from '../../http/index.ts'
import type { ProblemData } from '../../problem.ts'
import { didYouMean, nearest, show } from '../../text.ts'
import { type NameChoice, nearestOr, nearestPath, possible } from './choices.ts'
import { violationSentence } from './values.ts'

/** The purpose of a parameter of other APIs, for which this API has a parameter with another name. */
export type ParameterPurpose =
  | 'pageSize'
  | 'offset'
  | 'page'
  | 'order'
  | 'search'
  | 'fields'
  | 'include'
  | 'filter'
  | 'deleted'

const SAME_PURPOSE: Readonly<Record<Exclude<ParameterPurpose, 'order'>, string>> = {
  pageSize: 'use "itemsPerPage" for the number of members on a page.',
  offset: 'use "page" for the number of a page, from 1; the links of "view" reach all members.',
  page: 'use "page" for the number of a page, from 1; cursors are in the links of "view".',
  search: 'search for words with "q".',
  fields: 'choose properties with "fields", with commas between them.',
  include: 'get linked members with "include", such as "include=author".',
  filter: 'filter by the name of a property, such as "name=value" or "name[gte]=value".',
  deleted: 'deleted members are listed only where the API file has "history: true" for their class.',
}

export type UnfilterableReason =
  | 'embedded'
  | 'reverse'
  | 'textByLanguage'
  | 'datatype'
  | 'apiFile'
  | 'beyondLimit'

const WHY_UNFILTERABLE: Readonly<Record<UnfilterableReason, (datatype: string | undefined) => string>> = {
  embedded: () => 'it is an embedded value; filter by a property within it.',
  reverse: () =>
    'it stands for all members that link here; filter by one of their properties, or with "exists".',
  textByLanguage: () => 'it is text by language; search it with "q".',
  datatype: (datatype) => `values of type ${datatype} are only stored and returned.`,
  apiFile: () => 'the API file says so.',
  beyondLimit: () => 'its class has too many properties within embedded values.',
}

export type UnsortableReason = 'many' | 'unfilterable' | 'noLabel'

const WHY_UNSORTABLE: Readonly<Record<UnsortableReason, string>> = {
  many: 'it may have many values.',
  unfilterable: 'it has no index, so members can be neither filtered nor sorted by it.',
  noLabel: 'the label of the linked members has no property to sort by; sort by another of their properties.',
}

/** The filter values for a property with numbers or a boolean. */
const EXPECTED = {
  boolean: 'must be true or false.',
  integer: 'must be an integer such as 12.',
  number: 'must be a number such as 12.5.',
} as const

/** People ask so for members without a value. */
const absentHint = (text: string): string =>
  /^(?:null)?$/i.test(text) ? ' Members without a value are found with "exists": "pages.exists=false".' : ''

const possibleParameters = (choice: NameChoice): string =>
  possible(choice, ', which the search template of the collection has')

export interface UnknownParameterValues extends NameChoice {
  readonly name: string
  /** The parameter that was certainly meant. */
  readonly meant?: string | undefined
  readonly purpose?: ParameterPurpose | undefined
  /** For the purpose `order`: what was to be sorted by, or something else that can be; undefined if nothing can. */
  readonly sorted?: string | undefined
  /** The class in which a path goes wrong, and the path to it. */
  readonly within?: { readonly className: string; readonly path: string } | undefined
}

const howToSort = (name: string) => `sort with "sort=${name}", "sort=-${name}" or "order[${name}]=desc".`

function parameterHint({ name, meant, purpose, sorted, within, ...choice }: UnknownParameterValues): string {
  if (purpose === 'order') return sorted === undefined ? possibleParameters(choice) : howToSort(sorted)
  if (purpose !== undefined) return SAME_PURPOSE[purpose]
  if (meant !== undefined) return didYouMean(meant, name)
  if (within === undefined) return nearestOr(possibleParameters(choice), name, choice.known)
  if (choice.known.length === 0) return `${within.className} has nothing to filter by.`
  // The beginning of the path is right, and must not make names look alike.
  const withoutPath = (text: string) => text.replace(`${within.path}.`, '')
  const found = nearest(withoutPath(name), choice.known.map(withoutPath))
  const meantWithin = choice.known.find((one) => withoutPath(one) === found)
  return meantWithin === undefined
    ? possible(choice, ` for ${within.className}`)
    : didYouMean(meantWithin, name)
}

const PARAMETERS = {
  InvalidQueryEncoding: {
    status: 400,
    sentence: 'The query has a "%" or a byte that does not begin a UTF-8 character.',
    help: 'Percent-encode names and values as UTF-8.',
  },
  QueryTooLong: {
    status: 414,
    sentence: ({ bytes, maxBytes }: { bytes: number; maxBytes: number }) =>
      `The query is too long: percent-encoded and with a cursor, the links to its pages would have ${bytes} bytes; the limit is ${maxBytes}.`,
    help: 'Ask for less in one query.',
  },
  UnnamedParameter: {
    status: 400,
    sentence: (choice: NameChoice) =>
      `The query has a value without the name of a parameter; ${possibleParameters(choice)}`,
    help: 'Write the name of a parameter before each "=".',
  },
  UnknownParameter: {
    status: 400,
    sentence: (values: UnknownParameterValues) => `is not a parameter here; ${parameterHint(values)}`,
    help: 'Use a parameter of the search template of the collection.',
  },
  DuplicateParameter: {
    status: 400,
    sentence: 'is given more than once; send it once.',
    help: 'Send the parameter once.',
  },
  ConflictingParameters: {
    status: 400,
    sentence: ({ others }: { others: readonly string[] }) =>
      `cannot be combined with ${others.join(' or ')}; leave one of them out.`,
    help: 'Send a page number or one cursor, as the links of "view" do.',
  },
} as const satisfies ProblemAnswers

const FILTERS = {
  NotFilterable: {
    status: 400,
    sentence: ({
      property,
      reason,
      datatype,
    }: {
      property: string
      reason: UnfilterableReason
      datatype?: string
    }) => `${property} cannot be filtered: ${WHY_UNFILTERABLE[reason](datatype)}`,
    help: 'Filter by another property: the search template of the collection names them.',
  },
  UnknownOperator: {
    status: 400,
    sentence: ({
      name,
      meant,
      property,
      operators,
    }: {
      name: string
      meant?: string | undefined
      property: string
      operators: readonly string[]
    }) =>
      `is not supported; ${meant === undefined ? `${property} can be filtered with ${operators.join(', ')}.` : didYouMean(meant, name)}`,
    help: 'Use one of the operators that the search template has for the property.',
  },
  PathTooLong: {
    status: 400,
    sentence: ({ max }: { max: number }) => `the path has too many names; the limit is ${max}.`,
    help: 'Ask along a shorter path, or ask the collection of the linked members first.',
  },
  InvalidGroup: {
    status: 400,
    sentence:
      'alternatives are written as or[a][title] or or[1][pages.gte]: the group is one letter or a number below 1000, and an operator stands behind a dot.',
    help: 'Write the group and the filter in brackets: or[a][title]=Emma&or[a][pages.gte]=500.',
  },
  InvalidFilterValue: {
    status: 400,
    sentence: ({
      text,
      ...why
    }: { text: string } & ({ problem: ProblemData } | { expected: keyof typeof EXPECTED })) =>
      `${show(text)} ${'problem' in why ? violationSentence(why.problem) : EXPECTED[why.expected]}${absentHint(text)}`,
    help: 'Send a value of the type of the property, as a body would have it.',
  },
  UnknownEnumValue: {
    status: 400,
    sentence: ({ text, ...choice }: NameChoice & { text: string }) =>
      `${show(text)} is not one of its values; ${nearestOr(possible(choice), text, choice.known)}${absentHint(text)}`,
    help: 'Send one of the values that the documentation has for the property.',
  },
  EmptyFilterValue: {
    status: 400,
    sentence: 'every text contains ""; send the text to look for.',
    help: 'Send a text, or leave the parameter out.',
  },
  TooManyFilters: {
    status: 400,
    sentence: ({ count, max }: { count: number; max: number }) =>
      `The query has ${count} filters; the limit is ${max}.`,
    help: 'Send fewer filters in one query.',
  },
  TooManyFilterValues: {
    status: 400,
    sentence: ({ count, max }: { count: number; max: number }) =>
      `is given ${count} times; the limit is ${max}.`,
    help: 'Ask for fewer values in one query, and send several queries.',
  },
  NoSearchableText: {
    status: 400,
    sentence: ({ className }: { className: string }) => `${className} has no filterable text to search.`,
    help: 'Filter by a property instead.',
  },
  NoSearchWord: {
    status: 400,
    sentence: ({ text }: { text: string }) =>
      `${show(text)} has no word in it; a word consists of letters and digits.`,
    help: 'Send at least one word of letters or digits.',
  },
  TooManySearchWords: {
    status: 400,
    sentence: ({ count, max }: { count: number; max: number }) => `has ${count} words; the limit is ${max}.`,
    help: 'Search for fewer words.',
  },
} as const satisfies ProblemAnswers

const SORTING = {
  NotSortable: {
    status: 400,
    sentence: ({ property, reason }: { property: string; reason: UnsortableReason }) =>
      `members cannot be sorted by ${property}: ${WHY_UNSORTABLE[reason]}`,
    help: 'Sort by another property: the search template of the collection has an order for each.',
  },
  UnknownSortProperty: {
    status: 400,
    sentence: ({
      name,
      known,
      meant,
    }: {
      name: string
      known: readonly string[]
      meant?: string | undefined
    }) =>
      `${show(name)} is not a property; ${meant === undefined ? nearestOr(HOW_TO_SORT, name, known) : didYouMean(meant, name)}`,
    help: 'Name properties of the class, with commas between them.',
  },
  InvalidSortDirection: {
    status: 400,
    sentence: ({ text }: { text: string }) => `${show(text)} must be asc or desc.`,
    help: 'Send asc or desc.',
  },
  DuplicateOrder: {
    status: 400,
    sentence: ({ property }: { property: string }) => `the query sorts by ${property} already; name it once.`,
    help: 'Sort by each property once.',
  },
  TooManyOrders: {
    status: 400,
    sentence: ({ count, max }: { count: number; max: number }) =>
      `The query sorts by ${count} properties; the limit is ${max}.`,
    help: 'Sort by fewer properties.',
  },
} as const satisfies ProblemAnswers

const HOW_TO_SORT =
  'send names of properties with commas between them, and a "-" before those in descending order.'

const PAGING = {
  InvalidCount: {
    status: 400,
    sentence: ({ text, least, max }: { text: string; least: number; max?: number | undefined }) =>
      `${show(text)} is not a whole number ${max === undefined ? `that is ${least} or greater` : `from ${least} to ${max}`}.`,
    help: 'Send a whole number within the limits.',
  },
  PageTooFar: {
    status: 400,
    sentence: ({ page, reachable }: { page: number; reachable: number }) =>
      `${page} is too far; page numbers reach only the first ${reachable} members. Cursors reach all: leave "page" out and follow "next".`,
    help: 'Leave "page" out and follow the links "next".',
  },
  OffsetTooFar: {
    status: 400,
    sentence: ({ offset, reachable }: { offset: number; reachable: number }) =>
      `${offset} is too far; an offset reaches only the first ${reachable} members. Cursors reach all: leave it out and follow "next".`,
    help: 'Leave "offset" out and follow the links "next".',
  },
  InvalidCursor: {
    status: 400,
    sentence:
      'this is not a cursor; take it from a link of the view, whole and unchanged, or begin again without it.',
    help: 'Follow the links of "view" instead of building cursors.',
  },
  CursorOfOtherQuery: {
    status: 400,
    sentence: 'the cursor belongs to another order or another collection; begin again without it.',
    help: 'Begin again with the first page of this query.',
  },
} as const satisfies ProblemAnswers

const INCLUDES = {
  UnknownInclude: {
    status: 400,
    sentence: ({ path, className, ...choice }: NameChoice & { path: string; className: string }) =>
      `${show(path)} is neither a link of ${className} nor two steps that lead to one; ${nearestPath(path, choice)}`,
    help: 'Name a link of the class, or two steps with a dot between them.',
  },
  IncludedAnyway: {
    status: 400,
    sentence: ({ path }: { path: string }) => `${path} is an embedded value, which is always included.`,
    help: 'Leave it out of "include": embedded values are a part of the member.',
  },
  NoLinks: {
    status: 400,
    sentence: ({ className }: { className: string }) => `${className} has no links.`,
    help: 'Leave "include" out.',
  },
  TooManyIncludes: {
    status: 400,
    sentence: ({ count, max }: { count: number; max: number }) => `has ${count} paths; the limit is ${max}.`,
    help: 'Include fewer links in one query.',
  },
} as const satisfies ProblemAnswers

const FIELDS = {
  UnknownField: {
    status: 400,
    sentence: ({ path, className, ...choice }: NameChoice & { path: string; className: string }) =>
      `${show(path)} does not lead to a property of ${className}; ${nearestOr(possible(choice), path, choice.known)}`,
    help: 'Name properties of the class, or paths to properties of embedded values and of included members.',
  },
  FieldBeyondLink: {
    status: 400,
    sentence: ({ path, link }: { path: string; link: string }) =>
      `${path} is a property of another member; add "include=${link}", or ask for ${link}, which is its address.`,
    help: 'Include the link that the path goes through.',
  },
} as const satisfies ProblemAnswers

/** Problems of a query: its parameters, filters, orders, pages, includes and fields. */
export const QUERY_PROBLEMS = {
  ...PARAMETERS,
  ...FILTERS,
  ...SORTING,
  ...PAGING,
  ...INCLUDES,
  ...FIELDS,
} as const satisfies ProblemAnswers
