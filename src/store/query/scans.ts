import { type HttpError, unavailable } from '../../errors.ts'

/** So many searches without an index wait at most, in each process; their time runs. */
export const MOST_WAITING_SCANS = 64

const WITHOUT_INDEX =
  'a search that no index answers (contains, ne, an exact count, or several conditions at once)'

export const closing = (): HttpError => unavailable('The database is being closed.', 1)

export const crowded = (): HttpError =>
  unavailable(
    `Too many others wait for ${WITHOUT_INDEX}; try again shortly, or ask for fewer members by one indexed condition.`,
    2,
  )

export const late = (scanMs: number): HttpError =>
  unavailable(
    `This is ${WITHOUT_INDEX}, and it was not done within ${scanMs / 1_000} s; ` +
      'add a condition that few members match (=, a range, startsWith or a link), or leave out what has no index.',
    5,
  )
