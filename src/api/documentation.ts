import { createDocumentation } from '../vocabulary/documentation.ts'
import type { Model } from '../vocabulary/model.ts'
import { type Resource, resource } from './resource.ts'
import { createFixed, type Serving } from './serving.ts'

/** `{base}/vocab`: the ApiDocumentation that every response links to. */
export function documentation(model: Model, base: string, session: boolean, serving: Serving): Resource {
  return resource({ GET: createFixed(serving, createDocumentation(model, base, { session })) })
}
