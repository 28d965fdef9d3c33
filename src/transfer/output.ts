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
  const there = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (there?.isFile() === false) return writeTo(await open(path, 'w'))
  // Behind symbolic links.
  const final = there === undefined ? path : await realpath(path)
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
