import { setTimeout } from 'node:timers/promises'
import type { Serving } from './command.ts'

/** What takes longer is stuck. */
const PATIENCE_MS = 30_000
const POLL_MS = 20

/** Where `--ops-port 0` has found a place, as the log says. */
export const opsOf = ({ output }: Pick<Serving, 'output'>): string =>
  /"ops":"([^"]+)"/.exec(output())?.[1] ?? ''

export interface Told {
  readonly status: number
  readonly text: string
}

export async function ask(ops: string, path: string): Promise<Told> {
  const response = await fetch(`${ops}${path}`, { headers: { Connection: 'close' } })
  return { status: response.status, text: await response.text() }
}

/** Asks again and again, until it is told what it waits for. */
export async function until(find: () => Promise<boolean>): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  while (!(await find())) await setTimeout(POLL_MS, undefined, { signal })
}

/** The value of a metric, by its name and labels as they are printed; undefined when it is not there. */
export async function metric(ops: string, name: string): Promise<number | undefined> {
  const { text } = await ask(ops, '/metrics')
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}
