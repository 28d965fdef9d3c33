import {
  batchContext,
  collectionContext,
  documentationContext,
  entryContext,
  entryPointContext,
  errorContext,
  eventsContext,
  HISTORIES,
  hasCollection,
  historyContext,
  type Model,
  memberContext,
  removedContext,
  sessionContext,
  summariesContext,
} from '../vocabulary/index.ts'
import { apiProblem } from './problems/index.ts'
import type { ReadInclude } from './query/include.ts'
import { readValues } from './query/parameters.ts'
import { JSON_TYPES } from './request.ts'
import { resource } from './resource.ts'
import type { Respond, ServedMode } from './respond.ts'
import type { Resource, ResourceDependencies } from './types.ts'

/** Readers of the `include` parameter, by the name of the class. */
type IncludeReaders = ReadonlyMap<string, { readonly readInclude: ReadInclude }>

/**
 * `{base}/contexts/{name}`: the contexts that every representation has inline, each at its own address. `?include=` gives
 * the context of a representation with included members.
 */
export function contexts(
  model: Model,
  { base, mode }: Pick<ResourceDependencies, 'base'> & { readonly mode: ServedMode },
  respond: Respond,
  classes: IncludeReaders,
): Resource {
  // A context alone contains no statements, so it cannot be written as Turtle.
  const serve = (make: () => object) => respond.fixed(() => ({ '@context': make() }), JSON_TYPES)
  const ofUsers = [
    ['Session', () => sessionContext(base)],
    ['events', () => eventsContext(model, base)],
    ['OperationBatch', () => batchContext(base)],
  ] as const
  const makers: readonly (readonly [name: string, make: () => object])[] = [
    ['EntryPoint', () => entryPointContext(model, base)],
    ['ApiDocumentation', () => documentationContext(base)],
    ['ConstraintViolationList', () => errorContext(base)],
    ['summaries', () => summariesContext(base)],
    ...(model.classes.some((cls) => cls.history !== undefined)
      ? [[HISTORIES, () => historyContext(base)] as const]
      : []),
    ...(mode === 'anyone' ? [] : ofUsers),
    ...model.classes.map((cls) => [cls.name, () => memberContext(cls, base)] as const),
    ...model.classes
      .filter(hasCollection)
      .map((cls) => [`${cls.name}Collection`, () => collectionContext(cls, base)] as const),
  ]
  const handlers = new Map(makers.map(([name, make]) => [name, serve(make)]))
  const including = (id: string, included: readonly string[]): string | undefined =>
    classes.get(id)?.readInclude(included).context ??
    classes.get(id.replace(/Collection$/, ''))?.readInclude(included).pageContext
  // hydrus serves its contexts with the suffix. No name of a context has a dot.
  const nameIn = (id: string): string => id.replace(/\.jsonld$/, '')
  const served = resource({
    GET: (context) => {
      const name = nameIn(context.id)
      const read = handlers.get(name)
      if (read === undefined) throw apiProblem('UnknownContext', { known: [...handlers.keys()] })
      const remembering = model.classes.find(
        (cls) => `${cls.name}Collection` === name && cls.history !== undefined,
      )
      if (remembering !== undefined && context.query === 'deleted=true')
        return serve(() => removedContext(remembering, base, entryContext(base)))(context)
      const included = readValues(context.query, 'include')
      const text = included && including(name, included)
      return text ? serve(() => JSON.parse(text))(context) : read(context)
    },
  })
  return { ...served, has: (id) => handlers.has(nameIn(id)) }
}
