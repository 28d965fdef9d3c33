import { apiProblem, parameterProblem } from '../../../src/api/problems/index.ts'
import { RETRY, type SentenceRow } from './table.ts'

const NAMES = { known: ['title', 'year'], listed: ['title', 'year'] }

export const SUMMARY_SENTENCES: readonly SentenceRow[] = [
  [
    parameterProblem('UnknownSummaryPath', 'group', { path: 'titel', ...NAMES }),
    400,
    'group: "titel" does not lead to a property; did you mean "title"?',
  ],
  [
    parameterProblem('UnknownSummaryPath', 'sum', { path: 'x', ...NAMES }),
    400,
    'sum: "x" does not lead to a property; possible: title, year.',
  ],
  [
    parameterProblem('UnknownSummaryPath', 'sum', { path: 'pages,price', ...NAMES }),
    400,
    'sum: "pages,price" does not lead to a property; send the parameter once for each path, without commas.',
  ],
  [
    parameterProblem('UnknownSummaryPath', 'group', { path: 'buyer.x', known: [], listed: [] }),
    400,
    'group: "buyer.x" does not lead to a property, and no path that begins so does.',
  ],
  [
    parameterProblem('UnfitSummaryPath', 'group', { path: 'books', reason: 'reverse', ...NAMES }),
    400,
    'group: books stands for all members that link here; name one of their properties; possible: title, year.',
  ],
  [
    parameterProblem('UnfitSummaryPath', 'group', { path: 'notes', reason: 'unfilterable', ...NAMES }),
    400,
    'group: notes cannot be filtered, and so has no summary; possible: title, year.',
  ],
  [
    parameterProblem('UnfitSummaryPath', 'sum', { path: 'title', reason: 'number', known: [], listed: [] }),
    400,
    'sum: title is not a number; the class has nothing that would do.',
  ],
  [
    parameterProblem('UnfitSummaryPath', 'min', { path: 'author', reason: 'compared', ...NAMES }),
    400,
    'min: author is neither a number nor a date nor a text; possible: title, year.',
  ],
  [
    parameterProblem('UnfitSummaryPath', 'group', { path: 'title', reason: 'date', ...NAMES }),
    400,
    'group: title is neither a date nor a dateTime; possible: title, year.',
  ],
  [
    parameterProblem('UnknownDateUnit', 'group', { path: 'born', unit: 'yaer', ...NAMES }),
    400,
    'group: born has no groups by "yaer"; did you mean "year"?',
  ],
  [
    parameterProblem('DuplicateSummaryPath', 'sum', { path: 'price' }),
    400,
    'sum: price is named twice; name it once.',
  ],
  [
    apiProblem('TooManySummaryPaths', { what: 'groups', count: 3, max: 2 }),
    400,
    'The query asks for 3 groups; the limit is 2.',
  ],
  [
    parameterProblem('UnknownSummaryOrder', 'sort', { name: 'yaer', ...NAMES }),
    400,
    'sort: "yaer" is not part of these summaries; did you mean "year"?',
  ],
  [
    apiProblem('TooManyGroups', { max: 10_000 }),
    400,
    'There are more than 10,000 groups; add a filter, or group by fewer values, such as a date by ":month".',
  ],
  [
    apiProblem('SumOutOfRange'),
    400,
    'The doubles of a group add up to more than a double can hold; add a filter.',
  ],
  [
    parameterProblem('SummaryTooLarge', 'itemsPerPage', {}),
    400,
    'itemsPerPage: the texts of these summaries are too long for one page; ask for fewer.',
  ],
  [
    apiProblem('SummaryChanged', RETRY),
    503,
    'Members were changed again and again while their texts were read; try again.',
  ],
]
