import { type Model, previewedClasses, storedClasses } from '../../vocabulary/index.ts'
import type { ServedMode } from '../respond.ts'
import { batchSchemas } from './batch.ts'
import { classPaths } from './class-paths.ts'
import { classSchemas } from './classes.ts'
import { HISTORY_SCHEMAS } from './history.ts'
import { resourceSchemas } from './resources.ts'
import { ERROR_RESPONSES } from './responses.ts'
import type { Schema, Sizes } from './schemas.ts'
import { PROCEDURES } from './security.ts'
import { OPENAPI_SCHEMA, SERVER_TAG, serverPaths } from './server-paths.ts'
import { SUMMARY_SCHEMAS } from './summaries.ts'

interface Options {
  readonly mode: ServedMode
  readonly pageSizes: Sizes
  /** The whole model of the API file, if the document describes only the part that a set of roles may see. */
  readonly model?: Model
  /** The part of the model that filters may use, if it is less than what is shown. */
  readonly queried?: Model
}

/** The API as OpenAPI 3.1, from the part of the model that a set of roles may see (live.md, OpenAPI). */
export function createOpenApi(model: Model, base: string, options: Options): object {
  const { mode, pageSizes, model: declared = model, queried = model } = options
  const shown = {
    ...{ model, queried, base, sizes: pageSizes },
    replaceable: replaceableIn(declared),
    removalTargets: previewedClasses(model),
  }
  const paths: Record<string, Schema> = serverPaths(model, mode, pageSizes)
  const classes = storedClasses(model)
  for (const cls of classes) Object.assign(paths, classPaths(cls, shown))
  const { words, security, schemes } = PROCEDURES[mode]
  const schemas = {
    ...classSchemas(model, base),
    ...resourceSchemas(model, base, mode),
    ...batchSchemas(shown),
    ...OPENAPI_SCHEMA,
    ...SUMMARY_SCHEMAS,
    ...HISTORY_SCHEMAS,
  }
  return {
    openapi: '3.1.0',
    info: {
      title: model.title,
      version: '1',
      description: [model.description, words].filter(Boolean).join('\n\n'),
    },
    servers: [{ url: base }],
    security,
    tags: [
      ...classes.map(({ name, title, description }) => ({ name, description: description || title })),
      SERVER_TAG,
    ],
    paths,
    components: { ...withReferred({ schemas, responses: ERROR_RESPONSES }, paths), securitySchemes: schemes },
  }
}

const replaceableIn = ({ classes }: Model): ReadonlySet<string> =>
  new Set(classes.filter(({ operations }) => operations.has('replace')).map(({ name }) => name))

type Components = Readonly<Record<string, Readonly<Record<string, Schema>>>>

/** Only the components that the paths refer to, directly or through other components. */
function withReferred(components: Components, paths: Schema): Components {
  const referred = new Set<unknown>()
  const context = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || referred.has(value)) return
    referred.add(value)
    if ('$ref' in value) {
      const [, , kind = '', name = ''] = String(value.$ref).split('/')
      context(components[kind]?.[name])
    }
    for (const one of Object.values(value)) context(one)
  }
  context(paths)
  return Object.fromEntries(
    Object.entries(components).map(([kind, all]) => [
      kind,
      Object.fromEntries(Object.entries(all).filter(([, one]) => referred.has(one))),
    ]),
  )
}
