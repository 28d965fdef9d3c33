import { createChannel, onThread } from '../../channel.ts'
import { createFairQueue, createSlots } from '../../fair-queue.ts'
import type { Problem } from '../../problem.ts'
import { LinkedDataError } from '../../vocabulary/index.ts'
import {
  type ExpandBody,
  type Expanded,
  type ExpansionFailure,
  type ExpansionTask,
  THREAD,
} from './expansion-thread.ts'
import { bodyProblem } from './problems.ts'

/** How long an expansion may take. An ordinary body of a megabyte takes a third of this. */
const EXPANSION_MS = 1_000
/** Maximum number of waiting bodies. If there are more, a user with many waiting bodies loses one. */
const MAX_WAITING = 64
/** The JSON-LD processor can need far more memory than the body. */
const MAX_HEAP_MB = 256

/** Nothing is started before the first body that needs the processor. */
export function createExpandBody(expansionMs = EXPANSION_MS): ExpandBody {
  const queue = createFairQueue(createSlots({ slots: 1, maxWaiting: MAX_WAITING }))
  let isReady = false
  const channel = createChannel<ExpansionTask>({
    start: onThread(new URL('expansion-thread', import.meta.url), THREAD, {
      maxOldGenerationSizeMb: MAX_HEAP_MB,
    }),
    // The thread was ended after its time, or has used up its memory.
    unanswered: () => {
      isReady = false
      return tooMuch()
    },
    errorOf: (failure: ExpansionFailure) =>
      failure.code === 'TooMuchJsonLd' ? tooMuch() : new LinkedDataError(failure),
  })

  async function run(task: Omit<ExpansionTask, 'id'>): Promise<Expanded> {
    // Starting the thread and loading the processor does not count.
    if (!isReady) await channel.ask(NOTHING)
    isReady = true
    let isAnswered = false
    // One poll later, as in limitTime: an answer may have arrived while this thread was busy.
    const timer = setTimeout(() => setImmediate(() => isAnswered || channel.endThread()), expansionMs)
    try {
      return (await channel.ask(task)) as Expanded
    } finally {
      isAnswered = true
      clearTimeout(timer)
    }
  }

  return async (task, user) => {
    const expanded = await queue.run(user, () => run(task))
    if (expanded !== undefined) return expanded
    throw bodyProblem('JsonLdProcessorBusy', { retryAfterSeconds: 2 })
  }
}

const NOTHING: Omit<ExpansionTask, 'id'> = {
  document: {},
  base: '',
  context: undefined,
  contexts: [],
  knowsBundled: false,
}

const tooMuch = (): Problem => bodyProblem('TooMuchJsonLd')
