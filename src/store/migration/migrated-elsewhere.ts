import { HttpError, unavailable } from '../../errors.ts'
import type { MemberStore } from '../store.ts'

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

  const watched =
    <Args extends unknown[], T>(call: (...args: Args) => T) =>
    (...args: Args): T => {
      try {
        const result = call(...args)
        return result instanceof Promise ? (result.catch(tell) as T) : result
      } catch (error) {
        return tell(error)
      }
    }

  return {
    state: members.state,
    find: watched(members.find),
    findAll: watched(members.findAll),
    list: watched(members.list),
    add: watched(members.add),
    addAll: watched(members.addAll),
    change: watched(members.change),
    remove: watched(members.remove),
  }
}
