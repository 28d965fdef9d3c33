import type { DataItem, Split } from '../../src/transfer/ndjson.ts'
import { problemsIn } from '../../src/transfer/sentences.ts'
import { inShort } from '../support/problems.ts'

/** What is found in bytes that come in chunks of a size. */
export async function splitBy(
  split: Split,
  data: string | Buffer,
  size = Number.POSITIVE_INFINITY,
): Promise<DataItem[]> {
  const bytes = Buffer.from(data as string)
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const all: DataItem[] = []
  for await (const found of split(chunks())) all.push(...found)
  return all
}

/** `line: text`, or `line! problem`. */
export const shown = (all: readonly DataItem[]): string[] =>
  all.map((found) =>
    'problem' in found
      ? `${found.line}! ${problemsIn(found.problem).map(inShort).join(' ')}`
      : `${found.line}: ${found.text}`,
  )

/** A cell as RFC 4180 writes it. */
export const written = (cell: string): string =>
  /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
