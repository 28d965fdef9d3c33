import type { ProblemAnswers } from '../../http/index.ts'
import type { ProblemData } from '../../problem.ts'
import { didYouMean, nearest, show } from '../../text.ts'
import { violationSentence } from './values.ts'

/** What a parameter of another API is for, where this API has another one for the same purpose. */
export type ParameterPurpose = 'pageSize' | 'offset' | 'page' | 'order' | 'search' | 'fields' | 'filter'

const SAME_PURPOSE: Readonly<Record<ParameterPurpose, string>> = {
  pageSize: 'how many members a page has is "itemsPerPage".',
  offset: 'pages are "page", from 1 on; the links of "view" lead to any depth.',
  page: 'pages are "page", from 1 on; cursors are in the links of "view".',
  order: 'an order is "sort=name", "sort=-name", or "order[name]=desc".',
  search: 'words are searched for by "q".',
  fields: 'members are always served whole.',
  filter: 'a filter is the name of a property, such as "name=value" or "name[gte]=value".',
}

export type UnfilterableReason = 'embedded' | 'textByLanguage' | 'datatype' | 'apiFile'

const WHY_UNFILTERABLE: Readonly<Record<UnfilterableReason, (datatype: string | undefined) => string>> = {
  embedded: () => 'it is an embedded value.',
  textByLanguage: () => 'it is text by language, which "q" searches.',
  datatype: (datatype) => `values of type ${datatype} are stored and returned only.`,
  apiFile: () => 'the API file says so.',
}

export type UnsortableReason = 'many' | 'unfilterable'

const WHY_UNSORTABLE: Readonly<Record<UnsortableReason, string>> = {
  many: 'it may have many values.',
  unfilterable: 'it cannot be filtered either.',
}

/** What a property with numbers or a boolean takes as a filter. */
const EXPECTED = {
  boolean: 'must be true or false.',
  integer: 'must be an integer such as 12.',
  number: 'must be a number such as 12.5.',
} as const

/** Names to choose from. Sentences list only some of them: there may be hundreds. */
export interface NameChoice {
  readonly known: readonly string[]
  readonly listed: readonly string[]
}

const possible = ({ known, listed }: NameChoice): string => {
  const rest = known.length - listed.length
  const more = rest > 0 ? ` and ${rest} more, which the search template of the collection has` : ''
  return `possible: ${listed.join(', ')}${more}.`
}

/** The name that was probably meant, or `otherwise`. */
function nearestOr(otherwise: string, name: string, known: readonly string[]): string {
  const found = nearest(name, known)
  return found === undefined ? otherwise : didYouMean(found, name)
}

export interface UnknownParameterValues extends NameChoice {
  readonly name: string
  /** The parameter that was certainly meant. */
  readonly meant?: string | undefined
  readonly purpose?: ParameterPurpose | undefined
}

function parameterHint({ name, meant, purpose, ...choice }: UnknownParameterValues): string {
  if (purpose !== undefined) return SAME_PURPOSE[purpose]
  return meant === undefined ? nearestOr(possible(choice), name, choice.known) : didYouMean(meant, name)
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
      `The query is too long for the links of its own pages: percent-encoded, with a cursor, they would have ${bytes} bytes; ${maxBytes} are the limit.`,
    help: 'Ask for less in one query.',
  },
  UnnamedParameter: {
    status: 400,
    sentence: (choice: NameChoice) =>
      `The query has a value without the name of a parameter; ${possible(choice)}`,
    help: 'Write the name of a parameter before each "=".',
  },
  UnknownParameter: {
    status: 400,
    sentence: (values: UnknownParameterValues) => `is not a parameter here; ${parameterHint(values)}`,
    help: 'Use a parameter of the search template of the collection.',
  },
  DuplicateParameter: {
    status: 400,
    sentence: 'given twice; give it once.',
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
    sentence: ({ property, operators }: { property: string; operators: readonly string[] }) =>
      `is not possible; ${property} can be filtered with ${operators.join(', ')}.`,
    help: 'Use one of the operators that the search template has for the property.',
  },
  FilterBeyondLink: {
    status: 400,
    sentence: ({ property, collection }: { property: string; collection: string }) =>
      `${property} is a link, and the filter is by its address: ${property}=/${collection}/{id} below the base; ask /${collection} for that first.`,
    help: 'Find the linked member in its own collection, then filter by its address.',
  },
  UnfilterablePart: {
    status: 400,
    sentence: ({ property, links }: { property: string; links: readonly string[] }) =>
      links.length === 0
        ? `nothing within ${property} can be filtered.`
        : `${property} can be filtered by its links alone: ${links.join(', ')}.`,
    help: 'Filter an embedded value by its links, or filter by another property.',
  },
  InvalidFilterValue: {
    status: 400,
    sentence: ({
      text,
      ...why
    }: { text: string } & ({ problem: ProblemData } | { expected: keyof typeof EXPECTED })) =>
      `${show(text)} ${'problem' in why ? violationSentence(why.problem) : EXPECTED[why.expected]}`,
    help: 'Send a value of the type of the property, as a body would have it.',
  },
  UnknownEnumValue: {
    status: 400,
    sentence: ({ text, known, listed }: NameChoice & { text: string }) =>
      `${show(text)} is none of its values; ${nearestOr(`possible: ${listed.join(', ')}${known.length > listed.length ? ' …' : ''}.`, text, known)}`,
    help: 'Send one of the values that the documentation has for the property.',
  },
  EmptyFilterValue: {
    status: 400,
    sentence: '"" is in every text; say what to look for.',
    help: 'Send a text, or leave the parameter out.',
  },
  TooManyFilters: {
    status: 400,
    sentence: ({ count, max }: { count: number; max: number }) =>
      `The query has ${count} filters; ${max} are the limit.`,
    help: 'Send fewer filters in one query.',
  },
  TooManyFilterValues: {
    status: 400,
    sentence: ({ count, max }: { count: number; max: number }) =>
      `given ${count} times; ${max} are the limit.`,
    help: 'Ask for fewer values in one query, and send several queries.',
  },
  NoSearchableText: {
    status: 400,
    sentence: ({ className }: { className: string }) => `${className} has no filterable text to search.`,
    help: 'Filter by a property instead.',
  },
  NoSearchWord: {
    status: 400,
    sentence: ({ text }: { text: string }) => `${show(text)} has no word in it; a word is letters or digits.`,
    help: 'Send at least one word of letters or digits.',
  },
  TooManySearchWords: {
    status: 400,
    sentence: ({ count, max }: { count: number; max: number }) => `${count} words; ${max} are the limit.`,
    help: 'Search for fewer words.',
  },
} as const satisfies ProblemAnswers

const SORTING = {
  NotSortable: {
    status: 400,
    sentence: ({ property, reason }: { property: string; reason: UnsortableReason }) =>
      `${property} cannot be sorted by: ${WHY_UNSORTABLE[reason]}`,
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
      `${show(name)} is no property; ${meant === undefined ? nearestOr(HOW_TO_SORT, name, known) : didYouMean(meant, name)}`,
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
      `The query sorts by ${count} properties; ${max} are the limit.`,
    help: 'Sort by fewer properties.',
  },
} as const satisfies ProblemAnswers

const HOW_TO_SORT =
  'give names of properties with commas between them, a "-" before those in descending order.'

const PAGING = {
  InvalidCount: {
    status: 400,
    sentence: ({ text, max }: { text: string; max?: number | undefined }) =>
      `${show(text)} is not a whole number from 1${max === undefined ? '' : ` to ${max}`}.`,
    help: 'Send a whole number within the limits.',
  },
  PageTooFar: {
    status: 400,
    sentence: ({ page, reachable }: { page: number; reachable: number }) =>
      `${page} is too far; pages reach the first ${reachable} members. Cursors reach all: leave "page" out and follow "next".`,
    help: 'Leave "page" out and follow the links "next".',
  },
  InvalidCursor: {
    status: 400,
    sentence:
      'this is no cursor; take it from a link of the view, whole and unchanged, or begin again without it.',
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
    sentence: ({ path, className, known, listed }: NameChoice & { path: string; className: string }) =>
      `${show(path)} is no link of ${className}, nor two steps that lead to one; ${nearestOr(`possible: ${listed.join(', ')}.`, path, known)}`,
    help: 'Name a link of the class, or two steps with a dot between them.',
  },
  IncludedAnyway: {
    status: 400,
    sentence: ({ path }: { path: string }) => `${path} is an embedded value, which is shown anyway.`,
    help: 'Leave it out of "include": embedded values are a part of the member.',
  },
  NoLinks: {
    status: 400,
    sentence: ({ className }: { className: string }) => `${className} has no links.`,
    help: 'Leave "include" out.',
  },
  TooManyIncludes: {
    status: 400,
    sentence: ({ count, max }: { count: number; max: number }) => `${count} paths; ${max} are the limit.`,
    help: 'Include fewer links in one query.',
  },
} as const satisfies ProblemAnswers

/** Problems of a query: its parameters, filters, orders, pages and includes. */
export const QUERY_PROBLEMS = {
  ...PARAMETERS,
  ...FILTERS,
  ...SORTING,
  ...PAGING,
  ...INCLUDES,
} as const satisfies ProblemAnswers
