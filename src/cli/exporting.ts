import { shapesOf } from '../members/shapes.ts'
import { isThere } from '../store/open.ts'
import { exportMembers } from '../transfer/exporting.ts'
import { type Output, openOutput, standardOutput } from '../transfer/output.ts'
import { readApiFile } from '../vocabulary/read.ts'
import { type BulkConfig, STANDARD_STREAM } from './bulk-settings.ts'
import { amount, explainFile } from './bulk-summary.ts'
import { nothingAt, openAdopted } from './database.ts'
import { openProgress } from './progress.ts'

/** From the API file to the last member. */
export async function exportData(file: string, data: string, config: BulkConfig): Promise<void> {
  const model = await readApiFile(file)
  if (!(await isThere(config.db))) {
    throw new Error(`${nothingAt(config.db)}; name the one that is meant with --db.`)
  }
  const store = await openAdopted(config.db, shapesOf(model), 'none', { verb: 'export', file })
  try {
    const members = await intoOutput(data, async ({ write }) => {
      const progress = await openProgress(0)
      try {
        return await exportMembers({
          model,
          base: config.base,
          store: store.members,
          format: config.format,
          write,
          progress: (written, total) =>
            progress.update(written, `${amount(written)} of ${amount(total)}`, total),
        })
      } finally {
        progress.stop()
      }
    })
    summarise(members, data, config.json)
  } finally {
    await store.close()
  }
}

async function intoOutput<T>(data: string, work: (output: Output) => Promise<T>): Promise<T> {
  const output = data === STANDARD_STREAM ? standardOutput() : await openFile(data)
  const interruption = discardWhenInterrupted(output)
  try {
    const result = await work(output)
    await output.finish()
    return result
  } catch (error) {
    await interruption.ending
    await output.discard()
    throw (error as NodeJS.ErrnoException).code === 'EPIPE'
      ? new Error('Standard output was closed before all members were written.')
      : explainFile(error, data)
  } finally {
    interruption.forget()
  }
}

async function openFile(path: string): Promise<Output> {
  try {
    return await openOutput(path)
  } catch (error) {
    throw explainFile(error, path)
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

interface Interruption {
  /** Undefined until there is one; then it lasts as long as the process. */
  ending: Promise<never> | undefined
  forget(): void
}

/** What is half written goes, and the process ends as if it had not listened. */
function discardWhenInterrupted(output: Output): Interruption {
  const end = (signal: NodeJS.Signals) => {
    interruption.forget()
    interruption.ending = new Promise(() => {})
    void output.discard().finally(() => process.kill(process.pid, signal))
  }
  const interruption: Interruption = {
    ending: undefined,
    forget() {
      for (const signal of SIGNALS) process.off(signal, end)
    },
  }
  for (const signal of SIGNALS) process.on(signal, end)
  return interruption
}

/** Not on standard output where the members are. */
function summarise(members: number, data: string, json: boolean): void {
  const toStandardOutput = data === STANDARD_STREAM
  const place = toStandardOutput ? 'standard output' : data
  const text = json
    ? JSON.stringify({ members })
    : `${amount(members)} ${members === 1 ? 'member' : 'members'} written to ${place}.`
  ;(toStandardOutput ? process.stderr : process.stdout).write(`${text}\n`)
}
