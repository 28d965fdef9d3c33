import { UsageError } from '../config/index.ts'
import { shapesOf } from '../members/index.ts'
import { isThere } from '../store/index.ts'
import { exportMembers, type Output, openOutput, streamOutput } from '../transfer/index.ts'
import { nothingAt, openMigrated } from './database.ts'
import {
  type Invocation,
  type Io,
  readFileWith,
  readTransferSettings,
  STANDARD_STREAM,
} from './invocation.ts'
import { amount, count, explainFile, openProgress } from './output.ts'

/** `hydrant export <api-file> [data]` */
export async function exportData(call: Invocation, file: string, data = STANDARD_STREAM): Promise<void> {
  const { base, db, format } = readTransferSettings(call, data)
  if (format === 'csv')
    throw new UsageError(
      'export writes NDJSON or JSON-LD, which can hold everything; CSV is for import alone.',
    )
  const { model } = await readFileWith(call, file)
  if (!(await isThere(db))) throw new Error(`${nothingAt(db)}; name the one that is meant with --db.`)
  const store = await openMigrated(db, shapesOf(model), { verb: 'export', file })
  try {
    const members = await intoOutput(call.io, data, async ({ write }) => {
      const progress = await openProgress(call.io, 0)
      try {
        return await exportMembers({
          model,
          base,
          store: store.members,
          format,
          write,
          progress: (written, total) =>
            progress.update(written, `${amount(written)} of ${amount(total)}`, total),
        })
      } finally {
        progress.stop()
      }
    })
    summarise(call, members, data)
  } finally {
    await store.close()
  }
}

/** Writes a file, which appears when it is complete, or standard output. */
export async function intoOutput<T>(
  { stdout }: Io,
  data: string,
  work: (output: Output) => Promise<T>,
): Promise<T> {
  let output: Output | undefined
  let isInterrupted = false
  /** What is half written goes, and the process ends as if it had not listened. */
  const interrupt = (signal: NodeJS.Signals) => {
    isInterrupted = true
    forget()
    void output?.discard().finally(() => process.kill(process.pid, signal))
  }
  const forget = () => {
    for (const signal of SIGNALS) process.off(signal, interrupt)
  }
  try {
    output = data === STANDARD_STREAM ? streamOutput(stdout) : await openOutput(data)
    for (const signal of SIGNALS) process.on(signal, interrupt)
    const result = await work(output)
    await output.finish()
    return result
  } catch (error) {
    // The signal is about to end the process.
    if (isInterrupted) await new Promise(() => {})
    await output?.discard()
    throw (error as NodeJS.ErrnoException).code === 'EPIPE'
      ? new Error('Standard output was closed before all was written.')
      : explainFile(error, data === STANDARD_STREAM ? 'standard output' : data)
  } finally {
    forget()
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Not on standard output where the members are. */
function summarise({ console, json }: Invocation, members: number, data: string): void {
  const isStandardOutput = data === STANDARD_STREAM
  const place = isStandardOutput ? 'standard output' : data
  const text = json ? JSON.stringify({ members }) : `${count(members, 'member')} written to ${place}.`
  if (isStandardOutput) console.error(text)
  else console.log(text)
}
