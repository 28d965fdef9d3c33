import { classIri, entryPointContext, entryPointPaths } from '../vocabulary/contexts.ts'
import { hasCollection, type Model } from '../vocabulary/model.ts'
import { pathTo } from '../vocabulary/names.ts'
import { type Resource, resource } from './resource.ts'
import { createFixed, type Serving } from './serving.ts'

/** `{base}` and `{base}/`: where every client begins. */
export function entryPoint(model: Model, base: string, session: boolean, serving: Serving): Resource {
  return resource({ GET: createFixed(serving, representEntryPoint(model, base, session)) })
}

function representEntryPoint(model: Model, base: string, session: boolean): object {
  return {
    '@context': entryPointContext(model, base),
    '@id': `${base}/`,
    '@type': ['EntryPoint', 'hydra:Resource'],
    ...Object.fromEntries(entryPointPaths(model).map((path) => [path, base + pathTo(path)])),
    ...(session ? { session: `${base}/session` } : {}),
    collection: model.classes.filter(hasCollection).map((cls) => ({
      '@id': base + pathTo(cls.collection),
      '@type': ['Collection', `${base}/vocab#${cls.name}Collection`],
      memberAssertion: { property: 'rdf:type', object: classIri(cls, base) },
    })),
  }
}
