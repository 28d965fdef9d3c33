import { parentPort } from 'node:worker_threads'
import { type Conversion, convert } from './conversion.ts'

/** A conversion on a thread of its own, and what became of it. */
export interface Task {
  readonly id: number
  readonly conversion: Conversion
}

export type Outcome =
  | { readonly id: number; readonly text: string }
  | { readonly id: number; readonly error: unknown }

parentPort?.on('message', async ({ id, conversion }: Task) => {
  const outcome: Outcome = await convert(conversion).then(
    (text) => ({ id, text }),
    (error: unknown) => ({ id, error }),
  )
  parentPort?.postMessage(outcome)
})
