import { createReadStream } from 'node:fs'
import { open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Writable } from 'node:stream'
import { fileProblem, fileReason } from '../service/problems/files.ts'
import type { Io } from './invocation.ts'
import { commandProblem } from './problems.ts'

/** The problem of a file that cannot be read or written, for the person who has named it. */
function explainFile(error: unknown, path: string): unknown {
  const reason = fileReason(error)
  return reason === undefined ? error : fileProblem('FileUnusable', { reason }, { at: { source: path } })
}

/** Stands for standard input or standard output in place of a file. */
export const STANDARD_STREAM = '-'

/** Data to import. */
interface DataSource {
  readonly chunks: AsyncIterable<Buffer>
  /** Undefined for sources without a size, such as standard input. */
  readonly size: number | undefined
  /** The name without its folder, which may be different the next time. */
  readonly name: string
  /** The name in messages. */
  readonly shown: string
}

const CHUNK = 256 * 1024

/** Throws for a file of a spreadsheet program. `source`: the flag that names it. */
export function requireNoSpreadsheet(data: string, source?: string): void {
  if (!/\.(?:xls[xmb]?|ods|numbers)$/i.test(data)) return
  throw commandProblem('SpreadsheetFile', { data }, source === undefined ? {} : { at: { source } })
}

export async function openSource(data: string, { stdin }: Io): Promise<DataSource> {
  if (data === STANDARD_STREAM) {
    return { chunks: stdin, size: undefined, name: STANDARD_STREAM, shown: 'standard input' }
  }
  try {
    const found = await stat(data)
    if (found.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
    const size = found.isFile() ? found.size : undefined
    return { chunks: readChunks(data), size, name: basename(data), shown: data }
  } catch (error) {
    throw explainFile(error, data)
  }
}

async function* readChunks(path: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path, { highWaterMark: CHUNK })
  } catch (error) {
    throw explainFile(error, path)
  }
}

/** Whether there is a file with content, in whose place `withOutput` writes. */
export async function isReplaced(data: string): Promise<boolean> {
  const there = data === STANDARD_STREAM ? undefined : await stat(data).catch(() => undefined)
  return there?.isFile() === true && there.size > 0
}

/** Writes a file, which appears when it is complete, or standard output. */
export async function withOutput<T>(
  { stdout }: Io,
  data: string,
  work: (write: WriteText) => Promise<T>,
): Promise<T> {
  const isStream = data === STANDARD_STREAM
  try {
    return await (isStream ? work(writerTo(stdout)) : writeFile(data, work))
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EPIPE'
      ? commandProblem('OutputClosed')
      : explainFile(error, isStream ? 'standard output' : data)
  }
}

type WriteText = (text: string) => Promise<void>

/** Each write waits until the reader has taken it, so that memory stays flat. */
function writerTo(stream: Writable): WriteText {
  // Writes get the error; without a listener it would end the process.
  stream.on('error', () => {})
  return (text) =>
    new Promise((resolve, reject) => {
      stream.write(text, (error) => (error ? reject(error) : resolve()))
    })
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * A file appears when it is complete: until then it has another name in the same folder. Anything but a regular file,
 * such as a device or a pipe, is written to directly.
 */
async function writeFile<T>(path: string, work: (write: WriteText) => Promise<T>): Promise<T> {
  const there = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  const isFile = there?.isFile() !== false
  // The target of symbolic links.
  const final = there?.isFile() ? await realpath(path) : path
  const part = isFile ? `${final}.${process.pid}.part` : path
  const file = await open(part, 'w', there?.mode)
  let isInterrupted = false

  /** Removes the partial file; an existing file stays. */
  async function discard(): Promise<void> {
    await file.close()
    if (isFile) await rm(part, { force: true })
  }
  /** Discards the partial file, and ends the process as the signal would have done. */
  function interrupt(signal: NodeJS.Signals): void {
    isInterrupted = true
    forget()
    void discard().finally(() => process.kill(process.pid, signal))
  }
  function forget(): void {
    for (const signal of SIGNALS) process.off(signal, interrupt)
  }

  for (const signal of SIGNALS) process.on(signal, interrupt)
  try {
    const result = await work((text) => file.writeFile(text))
    if (isFile) await file.sync()
    await file.close()
    if (isFile) await rename(part, final)
    return result
  } catch (error) {
    // The signal is about to end the process.
    if (isInterrupted) await new Promise(() => {})
    await discard()
    throw error
  } finally {
    forget()
  }
}

/** The progress of a long command, for a person at a terminal. Shown on standard error, since standard output has data. */
interface Progress {
  /** `total`: the new total, if it has changed. */
  update(value: number, text: string, total?: number): void
  /** Prints a line above the bar. */
  print(line: string): void
  stop(): void
}

/** `total`: undefined if it is not known. Without a terminal there is no bar. */
export async function openProgress({ stderr }: Io, total: number | undefined): Promise<Progress> {
  if (!stderr.isTTY) return { update() {}, print: (line) => stderr.write(`${line}\n`), stop() {} }
  const { SingleBar } = (await import('cli-progress')).default
  const bar = new SingleBar({
    format: total === undefined ? '{text}' : '{bar} {percentage}% {text}',
    barsize: 30,
    clearOnComplete: true,
    // The terminal's settings are not changed, so nothing has to be restored, however the process ends.
    linewrap: true,
    gracefulExit: false,
  })
  let shown = { value: 0, total: total ?? 0, text: '' }
  const start = () => bar.start(shown.total, shown.value, { text: shown.text })
  start()
  return {
    update(value, text, newTotal = shown.total) {
      shown = { value, total: newTotal, text }
      bar.setTotal(newTotal)
      bar.update(value, { text })
    },
    // The bar remembers its line: it is cleared, and drawn again below.
    print(line) {
      bar.stop()
      stderr.write(`${line}\n`)
      start()
    },
    stop: () => bar.stop(),
  }
}
