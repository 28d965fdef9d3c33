import type { Found, Splitter } from '../../src/transfer/ndjson.ts'

/** What a cutter makes of bytes that come in chunks of a size. */
export function cutBy(
  create: () => Splitter,
  data: string | Buffer,
  size = Number.POSITIVE_INFINITY,
): Found[] {
  const bytes = Buffer.from(data as string)
  const cutter = create()
  const cuts: Found[] = []
  for (let at = 0; at < bytes.length; at += size) cuts.push(...cutter.push(bytes.subarray(at, at + size)))
  return [...cuts, ...cutter.end()]
}

/** `line: text`, or `line! problem`. */
export const shown = (cuts: readonly Found[]): string[] =>
  cuts.map((cut) => ('problem' in cut ? `${cut.line}! ${cut.problem}` : `${cut.line}: ${cut.text}`))
