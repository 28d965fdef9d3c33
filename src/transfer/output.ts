import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises'
import type { Writable } from 'node:stream'

/** Where an export goes. */
export interface Output {
  write(text: string): Promise<void>
  /** All is written: it appears under its name. */
  finish(): Promise<void>
  /** Nothing is left behind; what was there before stays. */
  discard(): Promise<void>
}

/**
 * A file appears when it is complete: until then it has another name in the same folder. What is no file, such as a
 * device or a pipe, is written to as it is.
 */
export async function openOutput(path: string): Promise<Output> {
  const there = await findExisting(path)
  if (there?.isFile === false) return writeTo(await open(path, 'w'))
  const final = there?.path ?? path
  const part = `${final}.${process.pid}.part`
  const file = await open(part, 'w', there?.mode)
  const output = writeTo(file)
  return {
    write: output.write,
    async finish() {
      await file.sync()
      await output.finish()
      await rename(part, final)
    },
    async discard() {
      await output.discard()
      await rm(part, { force: true })
    },
  }
}

function writeTo(file: FileHandle): Output {
  return {
    async write(text) {
      await file.writeFile(text)
    },
    finish: () => file.close(),
    discard: () => file.close(),
  }
}

interface Existing {
  /** Behind symbolic links. */
  readonly path: string
  readonly isFile: boolean
  readonly mode: number
}

async function findExisting(path: string): Promise<Existing | undefined> {
  try {
    const found = await stat(path)
    return { path: await realpath(path), isFile: found.isFile(), mode: found.mode }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Standard output, or another stream: each write waits until the reader has taken it, so that memory stays flat. */
export function streamOutput(stream: Writable): Output {
  // Told to the writes; without a listener it would end the process.
  stream.on('error', () => {})
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (error) => (error ? reject(error) : resolve()))
      }),
    async finish() {},
    async discard() {},
  }
}
