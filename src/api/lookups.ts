import type { Awaitable } from '../database/index.ts'

/** Thrown if an answer is not there yet; never seen outside of `withLookups`. */
class Unanswered extends Error {
  readonly answered: Promise<void>

  constructor(answered: Promise<void>) {
    super('An answer is not there yet.')
    this.answered = answered
  }
}

/** Answers for a step that cannot wait, such as `Compute`: it is run again when they are there. */
export class Lookups {
  readonly #known = new Map<string, unknown>()

  now<T>(key: string, ask: () => Awaitable<T>): T {
    if (this.#known.has(key)) return this.#known.get(key) as T
    const answer = ask()
    if (!(answer instanceof Promise)) return answer as T
    throw new Unanswered(answer.then((found) => void this.#known.set(key, found)))
  }
}

/** Repeats a step until all answers that it needs are there. Until then it must not have any effects. */
export async function withLookups<T>(run: (lookups: Lookups) => Awaitable<T>): Promise<T> {
  const lookups = new Lookups()
  for (;;)
    try {
      return await run(lookups)
    } catch (thrown) {
      if (!(thrown instanceof Unanswered)) throw thrown
      await thrown.answered
    }
}
