import { expand } from '../../../vocabulary/json-ld/processor.ts'
import { quadsOf } from './quads.ts'
import { type Prefixes, writeQuads, writeTurtle } from './turtle.ts'

export const RDF_TYPES = ['text/turtle', 'application/n-quads'] as const

export type RdfType = (typeof RDF_TYPES)[number]

/** A document of this server, as JSON-LD text whose contexts are inline, and what it is to become. */
export interface Conversion {
  readonly text: string
  readonly mediaType: RdfType
  readonly prefixes: Prefixes
}

/** Both libraries are loaded on first use: most services are never asked. */
export async function convert({ text, mediaType, prefixes }: Conversion): Promise<string> {
  const { DataFactory, Writer } = await import('n3')
  const document = JSON.parse(text)
  const { nodes } = await expand(document, { base: '', findContext: () => undefined })
  const quads = quadsOf(nodes, DataFactory)
  return mediaType === 'text/turtle'
    ? writeTurtle(quads, Writer, prefixes, vocabOf(document))
    : writeQuads(quads, Writer)
}

/** Every context here is one object. */
function vocabOf(document: { readonly '@context'?: { readonly '@vocab'?: unknown } }): string | undefined {
  const vocab = document['@context']?.['@vocab']
  return typeof vocab === 'string' ? vocab : undefined
}
