import type { ContextDefinition } from 'jsonld'

/** Why a document is not JSON-LD that can be read here, as a sentence. */
export class LinkedDataError extends Error {
  override readonly name = 'LinkedDataError'
}

/** A node of expanded JSON-LD (JSON-LD 1.1 §9.1): absolute IRIs as keys, lists as values. */
export type ExpandedNode = { readonly [iri: string]: unknown }

export interface Expansion {
  readonly nodes: readonly ExpandedNode[]
  /** What the processor would leave out, since it has no meaning in the document's context: never lost silently. */
  readonly dropped: readonly Dropped[]
}

export interface Dropped {
  /** For example `invalid property`: the processor's own name for what has happened. */
  readonly code: string
  /** The key or the value that has no meaning. */
  readonly what: string
}

export interface ExpandOptions {
  /** What relative IRIs are relative to. */
  readonly base: string
  /** What keys mean where the document does not say. */
  readonly context?: object
  /** A context by its address, where it is known: none is ever fetched. */
  readonly findContext: (address: string) => object | undefined
}

/** Expands a document with the reference processor. Loaded on first use: most requests never need it. */
export async function expand(document: object, options: ExpandOptions): Promise<Expansion> {
  const [{ default: jsonld }, { default: ContextResolver }] = await processor()
  const dropped: Dropped[] = []
  let refused: string | undefined
  try {
    const nodes = await jsonld.expand(document as never, {
      base: options.base,
      ...(options.context === undefined ? {} : { expandContext: options.context as ContextDefinition }),
      async documentLoader(address: string) {
        const context = options.findContext(address)
        if (context === undefined) {
          refused = address
          throw new Error('refused')
        }
        return { documentUrl: address, document: { '@context': context } as never }
      },
      // A cache for this document alone: the processor's own keeps the contexts of the last hundred documents.
      ...{ contextResolver: new ContextResolver({ sharedCache: new Map() }) },
      // Not among the types yet: what safe mode would throw at its first occurrence.
      ...{ eventHandler: ({ event }: { event: ProcessorEvent }) => note(event, dropped) },
    })
    return { nodes: nodes as ExpandedNode[], dropped }
  } catch (error) {
    const sentence = refused === undefined ? sentenceOf(error) : remote(refused)
    throw new LinkedDataError(sentence, { cause: error })
  }
}

/** `jsonld` exports no other way to give `expand` a cache of its own; its ContextResolver comes without types. */
const processor = () =>
  Promise.all([
    import('jsonld'),
    import('jsonld/lib/ContextResolver.js' as string) as Promise<{ default: typeof Resolver }>,
  ])

declare class Resolver {
  constructor(parts: { readonly sharedCache: Map<unknown, unknown> })
}

interface ProcessorEvent {
  readonly code: string
  readonly details?: { readonly property?: unknown; readonly value?: unknown; readonly id?: unknown }
}

/** An object without anything in it loses nothing. */
function note({ code, details = {} }: ProcessorEvent, dropped: Dropped[]): void {
  if (code === 'empty object') return
  const what = details.property ?? details.id ?? details.value ?? ''
  dropped.push({ code, what: typeof what === 'string' ? what : JSON.stringify(what) })
}

const remote = (address: string): string =>
  `The context ${JSON.stringify(address.slice(0, 200))} is not known here, and no context is ever fetched; write its terms out in "@context".`

/** The processor's messages begin with "Invalid JSON-LD syntax; ". */
function sentenceOf(error: unknown): string {
  const message =
    error instanceof Error ? error.message.replace(/^Invalid JSON-LD syntax; /, '') : String(error)
  return `This is not JSON-LD: ${message}`
}
