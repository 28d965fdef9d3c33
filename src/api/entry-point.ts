import { classIri, entryPointContext, entryPointPaths, hasCollection, pathTo } from '../vocabulary/index.ts'
import { type DocumentParts, type Resource, resource } from './resource.ts'

/** `{base}` and `{base}/`: where every client begins. */
export function entryPoint({ model, base, hasSession, respond }: DocumentParts): Resource {
  const document = {
    '@context': entryPointContext(model, base),
    '@id': `${base}/`,
    '@type': ['EntryPoint', 'hydra:Resource'],
    ...Object.fromEntries(entryPointPaths(model).map((path) => [path, base + pathTo(path)])),
    ...(hasSession ? { session: `${base}/session` } : {}),
    collection: model.classes.filter(hasCollection).map((cls) => ({
      '@id': base + pathTo(cls.collection),
      '@type': ['Collection', `${base}/vocab#${cls.name}Collection`],
      memberAssertion: { property: 'rdf:type', object: classIri(cls, base) },
    })),
  }
  return resource({ GET: respond.fixed(document) })
}
