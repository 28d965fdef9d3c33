import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { STANDARD_STREAM } from './bulk-settings.ts'
import { explainFile } from './bulk-summary.ts'

/** Data to import. */
export interface Source {
  readonly chunks: AsyncIterable<Buffer>
  /** Undefined for what has no size, such as standard input. */
  readonly size: number | undefined
  /** Without its folder, which may be another one the next time. */
  readonly name: string
  /** As messages name it. */
  readonly shown: string
}

const CHUNK = 256 * 1024

export async function openSource(data: string): Promise<Source> {
  if (data === STANDARD_STREAM) {
    return { chunks: process.stdin, size: undefined, name: '-', shown: 'standard input' }
  }
  try {
    const found = await stat(data)
    if (found.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
    return {
      chunks: reading(data),
      size: found.isFile() ? found.size : undefined,
      name: basename(data),
      shown: data,
    }
  } catch (error) {
    throw explainFile(error, data)
  }
}

async function* reading(path: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path, { highWaterMark: CHUNK })
  } catch (error) {
    throw explainFile(error, path)
  }
}
