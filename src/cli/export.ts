import { shapesOf } from '../members/index.ts'
import { isThere } from '../store/index.ts'
import { exportMembers, type Output, openOutput, streamOutput } from '../transfer/index.ts'
import { readApiFile } from '../vocabulary/index.ts'
import { nothingAt, openMigrated } from './database.ts'
import { type Invocation, type Io, readTransferSettings, STANDARD_STREAM } from './invocation.ts'
import { amount, count, explainFile, openProgress } from './output.ts'

/** `hydrant export <api-file> [data]` */
export async function exportData(call: Invocation, file: string, data = STANDARD_STREAM): Promise<void> {
  const { base, db, format } = readTransferSettings(call, data)
  const model = await readApiFile(file)
  if (!(await isThere(db))) throw new Error(`${nothingAt(db)}; name the one that is meant with --db.`)
  const store = await openMigrated(db, shapesOf(model), 'none', { verb: 'export', file })
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

async function intoOutput<T>({ stdout }: Io, data: string, work: (output: Output) => Promise<T>): Promise<T> {
  const output = data === STANDARD_STREAM ? streamOutput(stdout) : await openFile(data)
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
function summarise({ console, json }: Invocation, members: number, data: string): void {
  const isStandardOutput = data === STANDARD_STREAM
  const place = isStandardOutput ? 'standard output' : data
  const text = json ? JSON.stringify({ members }) : `${count(members, 'member')} written to ${place}.`
  if (isStandardOutput) console.error(text)
  else console.log(text)
}
