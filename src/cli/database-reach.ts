import type { Logger } from 'pino'
import type { StoreOptions } from '../store/store.ts'

/** What the log says of a database across a network. */
export const tellReach = (log: Logger): Pick<StoreOptions, 'onAway' | 'onBack'> => ({
  onAway: (reason) =>
    log.warn({ reason }, 'the database cannot be reached: requests that need it get 503 until it answers'),
  onBack: () => log.info('the database answers again'),
})
