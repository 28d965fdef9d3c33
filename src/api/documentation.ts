import {
  classIri,
  createDocumentation,
  type Model,
  type ServedDocumentation,
  vocabIri,
} from '../vocabulary/index.ts'
import { searchProperties } from './output/search.ts'
import { PROBLEM_TYPES, parameterProblem } from './problems/index.ts'
import { decode, splitPair } from './query/decoding.ts'
import { encode } from './query/encoding.ts'
import { unknownParameter } from './query/explain.ts'
import { resource } from './resource.ts'
import type { Respond, ServedMode } from './respond.ts'
import type { Handler, Resource } from './types.ts'

/** The documentation of the API, as it is served in this mode. `queried`: the part that filters may ask for. */
export const describeApi = (
  model: Model,
  base: string,
  mode: ServedMode,
  queried = model,
): ServedDocumentation =>
  createDocumentation(model, base, {
    session: mode === 'token',
    isOpen: mode === 'open' || mode === 'anyone',
    events: mode !== 'anyone',
    problemTypes: PROBLEM_TYPES,
    searchProperties: searchProperties(queried, base),
  })

/** `{base}/vocab`: the documentation. `?resource=Book`, as hydrus spells it, gives the description of one class. */
export function documentation(
  model: Model,
  base: string,
  { mode, queried }: { readonly mode: ServedMode; readonly queried: Model },
  respond: Respond,
): Resource {
  const describe = () => describeApi(model, base, mode, queried)
  const whole = respond.fixed(describe)
  let ofClasses: ReadonlyMap<string, Handler> | undefined

  function describeClasses(): ReadonlyMap<string, Handler> {
    // Leaves out what describes the API as a whole.
    const { supportedClass, shapes, possibleStatus, terms, ...rest } = describe()
    const names = new Map(model.classes.map((cls) => [classIri(cls, base), cls.name]))
    return new Map(
      supportedClass.map((cls) => {
        const name = names.get(cls['@id']) ?? cls['@id'].slice(vocabIri(base, '').length)
        const describeClass = () => ({
          ...rest,
          '@id': `${base}/vocab?${RESOURCE}=${encode(name)}`,
          supportedClass: [cls],
          shapes: shapes.filter(({ targetClass }) => targetClass === cls['@id']),
        })
        return [name, respond.fixed(describeClass)]
      }),
    )
  }

  return resource({
    GET: (context) => {
      const name = readClassName(context.query)
      if (name === undefined) return whole(context)
      ofClasses ??= describeClasses()
      const ofClass = ofClasses.get(name)
      if (ofClass !== undefined) return ofClass(context)
      throw parameterProblem('UndocumentedClass', RESOURCE, { name, known: [...ofClasses.keys()] })
    },
  })
}

const RESOURCE = 'resource'

/** The class that the query names; undefined without a query. */
function readClassName(query = ''): string | undefined {
  const [first, ...more] = query.split('&').filter(Boolean).map(splitPair)
  for (const [name] of first === undefined ? [] : [first, ...more])
    if (name !== RESOURCE) throw unknownParameter(name, { known: [RESOURCE], listed: [RESOURCE] })
  if (more.length > 0) throw parameterProblem('DuplicateParameter', RESOURCE, {})
  return first && decode(first[1])
}
