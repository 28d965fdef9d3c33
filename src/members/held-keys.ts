import { keyOfMember, type MemberName, type StepName } from './member.ts'

/** The keys that writes under locks rely on: other writes of this process wait for them, and do not make them fail. */
export interface HeldKeys {
  /** Holds the keys of these members, and for pages those of their classes, until the work ends. */
  during<T>(names: readonly StepName[], work: () => Promise<T>): Promise<T>
  /** Undefined where a write to the class, with these links, has nothing to wait for. */
  whenFree(className: string, links?: readonly MemberName[]): Promise<void> | undefined
}

export function createHeldKeys(): HeldKeys {
  const held = new Map<string, Promise<void>>()

  function wait(className: string, links: readonly MemberName[] = []): Promise<void> | undefined {
    const link = links.find((one) => held.has(keyOfMember(one)))
    const holder = held.get(keyOfMember(link ?? pagesOf(className)))
    // Another holder may get the keys before this one continues.
    return holder?.then(() => wait(className, links))
  }

  return {
    async during(names, work) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const keys = names.map(keyOfMember)
      for (const key of keys) held.set(key, promise)
      try {
        return await work()
      } finally {
        for (const key of keys) held.delete(key)
        resolve()
      }
    },
    whenFree(className, links) {
      return held.size === 0 ? undefined : wait(className, links)
    },
  }
}

/** The pages of a class, which every write to the class may change. */
const pagesOf = (className: string): StepName => ({ kind: 'page', className, id: '' })
