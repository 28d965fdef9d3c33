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
import type { ServedMode } from './respond.ts'

/** `{base}` and `{base}/`: the entry point. */
export const representEntryPoint = (model: Model, base: string, mode: ServedMode): object => ({
  '@context': entryPointContext(model, base),
  '@id': `${base}/`,
  '@type': ['EntryPoint', 'hydra:Resource'],
  ...Object.fromEntries(entryPointPaths(model).map((path) => [path, base + pathTo(path)])),
  ...(mode === 'token' && { session: `${base}/session` }),
  ...(hasWrites(model) && { batch: `${base}/batch` }),
  ...(mode !== 'anyone' && { events: `${base}/events` }),
  openapi: `${base}/openapi`,
  collection: entryPointClasses(model)
    .filter(hasCollection)
    .map((cls) => ({
      '@id': base + pathTo(cls.collection),
      '@type': ['Collection', `${base}/vocab#${cls.name}Collection`],
      memberAssertion: { property: 'rdf:type', object: classIri(cls, base) },
    })),
})
