import { HttpError, unavailable } from '../../errors.ts'
import type { Awaitable, MemberStore } from '../store.ts'

const OTHER_API_FILE =
  'Another process has opened the database with another API file since this server started; restart it with that file.'

/** The answer to a request whose class has other tables by now than when the store was opened. */
export const migratedElsewhere = (cause: unknown): HttpError => unavailable(OTHER_API_FILE, 60, cause)

/** Tells, once, that another process has migrated the members; each request is answered with it too. */
export function watchOtherMigrations(members: MemberStore, onMigratedElsewhere: () => void): MemberStore {
  let isTold = false

  function tell(error: unknown): never {
    if (!isTold && error instanceof HttpError && error.message === OTHER_API_FILE) {
      isTold = true
      onMigratedElsewhere()
    }
    throw error
  }

  function watched<T>(work: () => Awaitable<T>): Awaitable<T> {
    try {
      const result = work()
      return result instanceof Promise ? result.catch(tell) : result
    } catch (error) {
      return tell(error)
    }
  }

  const { find, list, add, addAll, change, remove } = members
  return {
    ...members,
    find: (...args) => watched(() => find(...args)),
    list: (...args) => watched(() => list(...args)),
    add: async (...args) => watched(() => add(...args)),
    addAll: async (...args) => watched(() => addAll(...args)),
    change: async (...args) => watched(() => change(...args)),
    remove: async (...args) => watched(() => remove(...args)),
  }
}
