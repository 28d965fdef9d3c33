import { notFound } from '../errors.ts'
import {
  collectionContext,
  documentationContext,
  entryPointContext,
  errorContext,
  hasCollection,
  type Model,
  memberContext,
  sessionContext,
} from '../vocabulary/index.ts'
import { type Handler, type Resource, resource } from './resource.ts'
import type { Respond } from './respond.ts'

/** `{base}/contexts/{name}`: the contexts that are inline in every representation, each at an address of its own. */
export function contexts(model: Model, base: string, respond: Respond): Resource {
  const handlers = new Map<string, Handler>()
  const add = (name: string, context: object) => handlers.set(name, respond.fixed({ '@context': context }))
  add('EntryPoint', entryPointContext(model, base))
  add('ApiDocumentation', documentationContext(base))
  add('Session', sessionContext(base))
  add('ConstraintViolationList', errorContext(base))
  for (const cls of model.classes) add(cls.name, memberContext(cls, base))
  for (const cls of model.classes.filter(hasCollection))
    add(`${cls.name}Collection`, collectionContext(cls, base))

  return resource({
    GET: (visit) => {
      const read = handlers.get(visit.id)
      if (read === undefined)
        throw notFound(`There is no such context; there is ${[...handlers.keys()].join(', ')}.`)
      return read(visit)
    },
  })
}
