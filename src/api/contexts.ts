import { notFound } from '../errors.ts'
import {
  collectionContext,
  documentationContext,
  entryPointContext,
  errorContext,
  memberContext,
  sessionContext,
} from '../vocabulary/contexts.ts'
import { hasCollection, type Model } from '../vocabulary/model.ts'
import { type Resource, resource } from './resource.ts'
import { createFixed, type Serving } from './serving.ts'

/** `{base}/contexts/{name}`: the contexts that are inline in every representation, for those who want them apart. */
export function contexts(model: Model, base: string, serving: Serving): Resource {
  const fixed = new Map(
    [
      ['EntryPoint', entryPointContext(model, base)] as const,
      ['ApiDocumentation', documentationContext(base)] as const,
      ['Session', sessionContext(base)] as const,
      ['ConstraintViolationList', errorContext(base)] as const,
      ...model.classes.map((cls) => [cls.name, memberContext(cls, base)] as const),
      ...model.classes
        .filter(hasCollection)
        .map((cls) => [`${cls.name}Collection`, collectionContext(cls, base)] as const),
    ].map(([name, context]) => [name, createFixed(serving, { '@context': context })]),
  )
  return resource({
    GET: (visit) => {
      const read = fixed.get(visit.id)
      if (read === undefined)
        throw notFound(`There is no such context; there is ${[...fixed.keys()].join(', ')}.`)
      return read(visit)
    },
  })
}
