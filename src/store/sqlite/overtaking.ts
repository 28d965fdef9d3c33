import type { Awaitable, MemberStore } from '../store.ts'
import { isOvertaken } from './errors.ts'

/** Tells, once, that another process has the members under another API file by now; each request hears of it too. */
export function watchOvertaking(members: MemberStore, onOvertaken: () => void): MemberStore {
  let isTold = false

  function tell(error: unknown): never {
    if (!isTold && isOvertaken(error)) {
      isTold = true
      onOvertaken()
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
