import { apiProblem, parameterProblem } from '../../../src/api/problems/index.ts'
import type { SentenceRow } from './table.ts'

const ADDRESS = 'http://a/books/1'

export const HISTORY_SENTENCES: readonly SentenceRow[] = [
  [
    apiProblem('MemberGone', { history: `${ADDRESS}/history`, since: '2026-11-18T09:30:00.000Z' }),
    410,
    'This member was deleted at 2026-11-18T09:30:00.000Z; its history is at http://a/books/1/history.',
  ],
  [
    apiProblem('MemberGone', { history: `${ADDRESS}/history`, since: undefined }),
    410,
    'This member was deleted; its history is at http://a/books/1/history.',
  ],
  [
    apiProblem('NoSuchEntry', { address: ADDRESS }),
    404,
    'The history of http://a/books/1 has no such entry; take its address from the history.',
  ],
  [
    apiProblem('NotThereThen', { address: ADDRESS, from: 'Wed, 18 Nov 2026 09:30:00 GMT' }),
    404,
    'http://a/books/1 did not exist at that time, or its history does not go back that far; it begins at Wed, 18 Nov 2026 09:30:00 GMT.',
  ],
  [
    apiProblem('NotThereThen', { address: ADDRESS, from: undefined }),
    404,
    'There is no history of http://a/books/1.',
  ],
  [
    apiProblem('InvalidDatetime'),
    400,
    'Accept-Datetime: this is not a date; send one such as "Wed, 18 Nov 2026 09:30:00 GMT".',
  ],
  [
    parameterProblem('IncludeInPast', 'include', {}),
    400,
    'include: linked members are included as they are today, so not in a member as it was; leave the parameter out, and follow its links.',
  ],
  [
    parameterProblem('OnlyValue', 'deleted', { value: 'true' }),
    400,
    'deleted: the only value is true; send it, or leave the parameter out.',
  ],
]
