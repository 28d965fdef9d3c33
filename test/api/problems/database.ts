import { apiProblem } from '../../../src/api/problems/index.ts'
import { RETRY, type SentenceRow } from './table.ts'

const SEARCH = 'a search that no index answers (contains, ne, an exact count, or several filters at once)'

export const DATABASE_SENTENCES: readonly SentenceRow[] = [
  [
    apiProblem('NoClientAddress', RETRY),
    503,
    'Without the address of the client nobody can sign in here; the program must pass it to handle.',
  ],
  [apiProblem('DatabaseLocked', RETRY), 503, 'The database is locked by another process; try again shortly.'],
  [apiProblem('DatabaseBusy', RETRY), 503, 'The database is busy; try again shortly.'],
  [
    apiProblem('DatabaseUnreachable', RETRY),
    503,
    'The database cannot be reached right now; try again shortly.',
  ],
  [apiProblem('DatabaseNotAnswering', RETRY), 503, 'The database does not answer; try again shortly.'],
  [
    apiProblem('DatabaseNotAnswering', { ...RETRY, needsFreshNonce: true }),
    503,
    'The database does not answer; try again shortly, with a fresh nonce.',
  ],
  [apiProblem('DatabaseClosing', RETRY), 503, 'The database is being closed.'],
  [
    apiProblem('DiskFailed', RETRY),
    503,
    'The database cannot be read or written right now; nothing was changed.',
  ],
  [apiProblem('DiskFull'), 507, 'The disk of the database is full; nothing was changed.'],
  [
    apiProblem('DatabaseReplaced', { ...RETRY, loss: 'replaced' }),
    503,
    'The database file was replaced, removed or written over while this server was running; restart it to go on.',
  ],
  [
    apiProblem('DatabaseReplaced', { ...RETRY, loss: 'upgraded' }),
    503,
    'The database was upgraded by a newer version of Hydrant while this server was running; restart it to go on.',
  ],
  [
    apiProblem('MigratedElsewhere', RETRY),
    503,
    'Another process has opened the database with another API file since this server started; restart it with that file.',
  ],
  [
    apiProblem('KeysPending', { ...RETRY, className: 'Book', property: 'language', percent: 40 }),
    503,
    'The values of "language" are still being indexed (40 %), so it cannot be asked for yet.',
  ],
  [
    apiProblem('OutcomeUnknown'),
    503,
    'The database did not answer in time; this may have been carried out; look before you send it again.',
  ],
  [
    apiProblem('TooManySearches', RETRY),
    503,
    `Too many others wait for ${SEARCH}; try again shortly, or ask for fewer members by one indexed filter.`,
  ],
  [
    apiProblem('SearchTooLong', { ...RETRY, maxMs: 2_000 }),
    503,
    `This is ${SEARCH}, and it was not done within 2 s; add a filter that few members match (=, a range, startsWith or a link), or leave out what has no index.`,
  ],
  [
    apiProblem('SearchFailed', RETRY),
    503,
    'The search was ended by a fault in the database; try again shortly.',
  ],
]
