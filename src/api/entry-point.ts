import {
  classIri,
  entryPointClasses,
  entryPointContext,
  entryPointPaths,
  hasCollection,
  hasWrites,
  type Model,
  pathTo,
} from '../vocabulary/index.ts'

/** `{base}` and `{base}/`: the entry point. */
export const representEntryPoint = (model: Model, base: string, hasSession: boolean): object => ({
  '@context': entryPointContext(model, base),
  '@id': `${base}/`,
  '@type': ['EntryPoint', 'hydra:Resource'],
  ...Object.fromEntries(entryPointPaths(model).map((path) => [path, base + pathTo(path)])),
  ...(hasSession && { session: `${base}/session` }),
  ...(hasWrites(model) && { batch: `${base}/batch` }),
  events: `${base}/events`,
  openapi: `${base}/openapi`,
  collection: entryPointClasses(model)
    .filter(hasCollection)
    .map((cls) => ({
      '@id': base + pathTo(cls.collection),
      '@type': ['Collection', `${base}/vocab#${cls.name}Collection`],
      memberAssertion: { property: 'rdf:type', object: classIri(cls, base) },
    })),
})
