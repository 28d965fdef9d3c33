import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import formats from '@rdfjs/formats'
import jsonld from 'jsonld'
import { Parser, Writer } from 'n3'

/** The RDF of a text as a client's parser reads it, canonical (RDFC-1.0): equal graphs give equal lines. */
export async function quadsOfText(text: string, mediaType: string): Promise<string[]> {
  const quads = new Parser({ format: mediaType }).parse(text)
  const canonical = (await jsonld.canonize(
    new Writer({ format: 'application/n-quads' }).quadsToString(quads) as never,
    {
      algorithm: 'RDFC-1.0',
      inputFormat: 'application/n-quads',
      format: 'application/n-quads',
    } as never,
  )) as unknown as string
  return canonical.split('\n').filter((line) => line !== '')
}

/** Two graphs in their canonical form; when they differ, the first lines that do, since there may be thousands. */
export function assertSame(actual: readonly string[], expected: readonly string[], where: string): void {
  const only = (lines: readonly string[], others: readonly string[]) => {
    const known = new Set(others)
    return lines.filter((line) => !known.has(line)).slice(0, 10)
  }
  assert.deepEqual(
    { unexpected: only(actual, expected), missing: only(expected, actual), count: actual.length },
    { unexpected: [], missing: [], count: expected.length },
    where,
  )
}

/** As alcaeus reads it, with a parser that does not share its code with `jsonld`. */
export async function quadsByStream(text: string): Promise<string[]> {
  const writer = new Writer({ format: 'N-Quads' })
  const stream = formats.parsers.import('application/ld+json', Readable.from([text]))
  assert.ok(stream)
  for await (const quad of stream as unknown as AsyncIterable<never>) writer.addQuad(quad)
  let written = ''
  writer.end((_, result: string) => {
    written = result
  })
  return quadsOfText(written, 'application/n-quads')
}
