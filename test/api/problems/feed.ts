import { apiProblem, parameterProblem } from '../../../src/api/problems/index.ts'
import { RETRY, type SentenceRow } from './table.ts'

const BASE = 'http://a'

export const FEED_SENTENCES: readonly SentenceRow[] = [
  [
    parameterProblem('UnknownFeedCollection', 'collection', { name: 'boooks', known: ['books'] }),
    400,
    'collection: no collection is named "boooks"; did you mean "books"?',
  ],
  [
    parameterProblem('UnknownFeedCollection', 'collection', { name: 'x', known: ['books', 'authors'] }),
    400,
    'collection: no collection is named "x"; possible: books, authors.',
  ],
  [
    parameterProblem('UnknownFeedInclude', 'include', { text: 'author' }),
    400,
    'include: "author" cannot be included; possible: object.',
  ],
  [
    parameterProblem('InvalidResourceAddress', 'resource', { text: 'x', base: BASE }),
    400,
    'resource: "x" is not the address of a resource; send one such as http://a/books/1.',
  ],
  [
    parameterProblem('InvalidEventId', 'after', { text: 'x' }),
    400,
    'after: "x" is not the id of an event; send one unchanged, or leave it out to follow from now on.',
  ],
  [
    apiProblem('EventIdGone', { id: 'e1', base: BASE }),
    410,
    'This event id is too old, or belongs to another database or to a time before a restore. Read the collections again, then follow from e1 (after=e1, or Last-Event-ID).',
  ],
  [apiProblem('TooManyStreams', RETRY), 503, 'Too many streams are open; try again in 2 s.'],
  [
    apiProblem('TooManyOwnStreams', RETRY),
    503,
    'Too many of your streams are open; close one, or try again in 2 s.',
  ],
]
