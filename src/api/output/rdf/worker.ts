import { parentPort } from 'node:worker_threads'
import { convert, type ToRdf } from './conversion.ts'

/** A conversion on a thread of its own, and what became of it. */
export interface Task {
  readonly id: number
  readonly of: Parameters<ToRdf>
}

export type Outcome = { readonly id: number } & ({ readonly text: string } | { readonly error: unknown })

parentPort?.on('message', async ({ id, of }: Task) => {
  const outcome: Outcome = await convert(...of).then(
    (text) => ({ id, text }),
    (error: unknown) => ({ id, error }),
  )
  parentPort?.postMessage(outcome)
})
