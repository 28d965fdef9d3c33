import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadReply, ThreadRequest } from '../../channel.ts'
import type { ProblemData } from '../../problem.ts'
import { withUsualEncodings } from '../../text.ts'
import {
  type Dropped,
  type ExpandedNode,
  expand,
  findBundledContext,
  LinkedDataError,
} from '../../vocabulary/index.ts'

/** The worker data of the thread that runs this file. */
export const THREAD = 'hydrant JSON-LD'

/** A document to be expanded. */
export interface ExpansionTask extends ThreadRequest {
  readonly document: object
  readonly base: string
  /** The context of a document without one. */
  readonly context: object | undefined
  /** The known contexts, by their addresses. No other context is ever fetched. */
  readonly contexts: readonly (readonly [address: string, context: object])[]
  /** Whether the bundled contexts are known too. */
  readonly knowsBundled: boolean
}

export interface Expanded {
  readonly nodes: readonly ExpandedNode[]
  readonly dropped: readonly Dropped[]
}

/** Expands JSON-LD that a client has sent, on another thread. `user`: users take turns. */
export type ExpandBody = (task: Omit<ExpansionTask, 'id'>, user: string) => Promise<Expanded>

/** A failure as plain data, to be sent between threads. */
export interface ExpansionFailure extends Pick<ProblemData, 'code' | 'values'> {
  readonly message: string
}

/** A context can expand short names to long ones, all of which the main thread would have to read. A body has up to 1 MiB. */
const LONGEST_ANSWER = 8 * 1024 * 1024

async function answer(task: ExpansionTask): Promise<ThreadReply> {
  const { id, document, base, context, knowsBundled } = task
  const known = new Map(task.contexts)
  try {
    const value = await expand(document, {
      base,
      ...(context !== undefined && { context }),
      findContext: (address) =>
        known.get(withUsualEncodings(address)) ?? (knowsBundled ? findBundledContext(address) : undefined),
    })
    const isTooMuch = JSON.stringify(value).length > LONGEST_ANSWER
    return isTooMuch ? { id, failure: TOO_MUCH } : { id, value }
  } catch (error) {
    return { id, failure: failureOf(error) }
  }
}

const TOO_MUCH: ExpansionFailure = { code: 'TooMuchJsonLd', values: {}, message: '' }

const failureOf = (error: unknown): ExpansionFailure => {
  const message = error instanceof Error ? error.message : ''
  if (!(error instanceof LinkedDataError)) return { code: 'UnprocessableJsonLd', values: {}, message }
  return { code: error.code, values: error.values, message }
}

if (workerData === THREAD)
  parentPort?.on('message', async (tasks: ExpansionTask[]) => {
    for (const task of tasks) parentPort?.postMessage([await answer(task)])
  })
