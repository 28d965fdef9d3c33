import type { ContextDefinition } from 'jsonld'
import { Problem, type ProblemData, unplacedOf } from '../problem.ts'
import { PREFIXES } from './names.ts'

export interface LinkedDataProblems {
  ForeignContext: { readonly address: string }
  /** `reason`: the message of the JSON-LD processor. */
  InvalidJsonLd: { readonly reason: string }
  /** The processor has failed, for a reason that says nothing about the document. */
  UnprocessableJsonLd: object
}

/** A document is not JSON-LD, or cannot be processed. */
export class LinkedDataError extends Problem {
  declare readonly code: keyof LinkedDataProblems

  constructor({ code, values }: Pick<ProblemData, 'code' | 'values'>, cause?: unknown) {
    super(code, values, { cause })
  }
}

const linkedDataProblem = unplacedOf<LinkedDataProblems>()

export type Context = { readonly [term: string]: unknown }

/** A node of expanded JSON-LD (JSON-LD 1.1 §9.1): absolute IRIs as keys, lists as values. */
export type ExpandedNode = { readonly [iri: string]: unknown }

/** Something that the processor has dropped, because it has no meaning in the document's context. */
export interface Dropped {
  /** The processor's name of the event, such as `invalid property`. */
  readonly code: string
  readonly what: string
}

interface ExpandOptions {
  readonly base: string
  /** The context of documents without one. */
  readonly context?: object
  /** Finds a known context by its address: no context is ever fetched. */
  readonly findContext: (address: string) => object | undefined
}

/** Expands a document with the reference processor. Loaded on first use: most requests never need it. */
export async function expand(document: object, options: ExpandOptions) {
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
      // A cache only for this document: the processor's own would keep the contexts of the last hundred documents.
      ...{ contextResolver: new ContextResolver({ sharedCache: new Map() }) },
      // Not in the types yet. Receives all events; safe mode would throw at the first.
      ...{ eventHandler: ({ event }: { event: ProcessorEvent }) => note(event, dropped) },
    })
    return { nodes: nodes as ExpandedNode[], dropped }
  } catch (error) {
    throw new LinkedDataError(problemOf(error, refused), error)
  }
}

/** `jsonld` has no other way to give `expand` its own cache; its ContextResolver has no types. */
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

function note({ code, details = {} }: ProcessorEvent, dropped: Dropped[]): void {
  // Dropping an empty object loses nothing.
  if (code === 'empty object') return
  const what = details.property ?? details.id ?? details.value ?? ''
  dropped.push({ code, what: typeof what === 'string' ? what : JSON.stringify(what) })
}

const LONGEST_REASON = 450

/** `refused`: the context that was not fetched. The processor's own messages begin with "Invalid JSON-LD syntax; ". */
function problemOf(error: unknown, refused: string | undefined): ProblemData {
  if (refused !== undefined) return linkedDataProblem('ForeignContext', { address: refused.slice(0, 200) })
  if (!(error instanceof Error && error.name.startsWith('jsonld.')))
    return linkedDataProblem('UnprocessableJsonLd')
  const reason = error.message.replace(/^Invalid JSON-LD syntax; /, '').slice(0, LONGEST_REASON)
  return linkedDataProblem('InvalidJsonLd', { reason })
}

/** Terms, with spaces between their names, whose values are literals or nodes. */
export const terms = (prefix: string, names: string): Context => termsOf(names, (name) => `${prefix}:${name}`)

/** Terms whose values are addresses; those of `vocabTerms` are names of classes and properties. */
export const linkTerms = (prefix: string, names: string): Context =>
  termsOf(names, (name) => ({ '@id': `${prefix}:${name}`, '@type': '@id' }))

export const vocabTerms = (prefix: string, names: string): Context =>
  termsOf(names, (name) => ({ '@id': `${prefix}:${name}`, '@type': '@vocab' }))

export const termsOf = (names: string, define: (name: string) => unknown): Context =>
  Object.fromEntries(names.split(' ').map((name) => [name, define(name)]))

/** The context of Hydra, with the terms of older drafts. */
const HYDRA_CONTEXT: Context = {
  ...PREFIXES,
  ...terms('hydra', 'ApiDocumentation BasicRepresentation Class Collection Error ExplicitRepresentation'),
  ...terms('hydra', 'HeaderSpecification IriTemplate IriTemplateMapping Link MediaType Operation'),
  ...terms('hydra', 'PartialCollectionView Resource Rfc6570Template Status SupportedProperty TemplatedLink'),
  ...terms('hydra', 'VariableRepresentation closeMatch collection description expectsHeader freetextQuery'),
  ...terms('hydra', 'headerName limit manages mapping memberAssertion method offset operation pageIndex'),
  ...terms('hydra', 'pageReference possibleValue readable required returnsHeader search statusCode template'),
  ...terms('hydra', 'title totalItems variable writable writeable'),
  // Terms of drafts before 2015.
  ...terms('hydra', 'CreateResourceOperation DeleteResourceOperation ReplaceResourceOperation'),
  ...terms('hydra', 'PagedCollection readonly writeonly'),
  ...linkTerms('hydra', 'apiDocumentation entrypoint extension first last member next possibleStatus'),
  ...linkTerms('hydra', 'previous supportedOperation supportedProperty view'),
  ...vocabTerms('hydra', 'expects object property resolveRelativeTo returns subject supportedClass'),
  ...vocabTerms('hydra', 'variableRepresentation'),
  ...vocabTerms('rdfs', 'domain range subClassOf subPropertyOf'),
  ...terms('rdfs', 'comment label'),
  ...linkTerms('rdfs', 'isDefinedBy seeAlso'),
  ...vocabTerms('schema', 'domainIncludes rangeIncludes'),
}

/** The context that schema.org serves has more than 2,000 terms, and does little more than this. */
const { schema } = PREFIXES
const SCHEMA_CONTEXT: Context = { '@vocab': schema, schema, id: '@id', type: '@type' }

const CONTEXTS = new Map<string, Context>([
  ['www.w3.org/ns/hydra/context.jsonld', HYDRA_CONTEXT],
  ['www.w3.org/ns/hydra/core', HYDRA_CONTEXT],
  ['www.w3.org/ns/hydra/core.jsonld', HYDRA_CONTEXT],
  ['purl.org/hydra/core/context.jsonld', HYDRA_CONTEXT],
  ['schema.org', SCHEMA_CONTEXT],
  ['schema.org/docs/jsonldcontext.json', SCHEMA_CONTEXT],
  ['schema.org/docs/jsonldcontext.jsonld', SCHEMA_CONTEXT],
])

/** Finds a context of ours by its address, with either scheme, and with or without a fragment or a trailing slash. */
export function findBundledContext(address: string): object | undefined {
  const [, hostAndPath = ''] = /^https?:\/\/([^?#]*?)\/?(?:#.*)?$/i.exec(address) ?? []
  return CONTEXTS.get(hostAndPath)
}
