// Reads an OpenAPI document of version 3.0 or 3.1.
import { LineCounter, parseDocument } from 'yaml'
import { DataError, importProblem } from '../problems.ts'

/** A schema of JSON, of which nothing is known. */
export type JsonSchema = { readonly [key: string]: unknown }

/** Where a schema is used: sent with a request, returned, or returned with an error. */
export type SchemaUse = 'sent' | 'returned' | 'failed'

export interface UsedSchema {
  readonly schema: JsonSchema
  readonly use: SchemaUse
  /** Whether the path has the id of one of several, or the operation makes one. */
  readonly isOfMember: boolean
}

export interface OpenApiDocument {
  readonly title: string
  readonly description: string | undefined
  readonly schemas: ReadonlyMap<string, JsonSchema>
  /** The schemas of bodies. */
  readonly used: readonly UsedSchema[]
}

export const isMap = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const mapIn = (value: unknown): JsonSchema => (isMap(value) ? value : {})

export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

/** Whether a document says that it is one. */
const isOpenApi = (document: unknown): boolean =>
  isMap(document) && /^3\.[01]\b/.test(String(document.openapi))

export function readOpenApi(text: string, form: 'yaml' | 'json'): OpenApiDocument {
  const document = form === 'json' ? JSON.parse(text) : parsed(text)
  if (!isOpenApi(document)) throw importProblem('NotOpenApi')
  const { info, components, paths } = document
  const schemas = Object.entries(mapIn(mapIn(components).schemas)).filter(([, schema]) => isMap(schema))
  return {
    title: textIn(mapIn(info).title) ?? 'API',
    description: textIn(mapIn(info).description),
    schemas: new Map(schemas as [string, JsonSchema][]),
    used: operationsIn(mapIn(paths)).flatMap((operation) => usedIn(operation, mapIn(components))),
  }
}

function parsed(text: string) {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false })
  const [error] = document.errors
  if (error !== undefined) {
    const { line } = lineCounter.linePos(error.pos[0])
    throw new DataError(line, importProblem('MalformedYaml', { reason: error.message }))
  }
  try {
    // As JSON, in which nothing contains itself.
    return JSON.parse(JSON.stringify(document.toJS()) ?? 'null')
  } catch (error) {
    throw importProblem('MalformedYaml', { reason: (error as Error).message })
  }
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete']

interface PathOperation {
  readonly operation: JsonSchema
  readonly isOfMember: boolean
}

const operationsIn = (paths: JsonSchema): PathOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.map((method) => ({
      operation: mapIn(mapIn(methods)[method]),
      isOfMember: method === 'post' || /\}\/?$/.test(path),
    })),
  )

function usedIn({ operation, isOfMember }: PathOperation, components: JsonSchema): UsedSchema[] {
  const { requestBody, responses } = operation
  const sent = bodySchemas(requestBody, components, 'requestBodies')
  const returned = Object.entries(mapIn(responses)).flatMap(([status, response]) =>
    bodySchemas(response, components, 'responses').map((schema) => ({
      schema,
      use: status.startsWith('2') ? ('returned' as const) : ('failed' as const),
      isOfMember,
    })),
  )
  return [...sent.map((schema) => ({ schema, use: 'sent' as const, isOfMember })), ...returned]
}

/** The schemas of a body in all of its formats. A body may be described once, in the components. */
function bodySchemas(body: unknown, components: JsonSchema, kind: string): JsonSchema[] {
  const name = /^#\/components\/\w+\/(.+)$/.exec(String(mapIn(body).$ref))?.[1]
  const found = name === undefined ? mapIn(body) : mapIn(mapIn(components[kind])[name])
  return Object.values(mapIn(found.content))
    .map((format) => mapIn(format).schema)
    .filter(isMap)
}

/** The name of the schema that a reference leads to; undefined for any other reference. */
export function refName({ $ref }: JsonSchema): string | undefined {
  const pointer = /^#\/components\/schemas\/([^/]+)$/.exec(String($ref))?.[1]
  if (pointer === undefined) return undefined
  const name = pointer.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
