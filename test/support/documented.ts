import assert from 'node:assert/strict'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { createOpenApi } from '../../src/api/index.ts'
import type { Model } from '../../src/vocabulary/index.ts'
import { permittedModel } from '../../src/vocabulary/index.ts'
import type { RawResponse } from './raw.ts'
import { errorsOf, type SchemaComponents, validatorOf } from './validators.ts'

export interface SentRequest {
  readonly method: string
  /** Below the base, with its query; or an absolute target, which is not looked for. */
  readonly path: string
}

/** Throws where a response is not what the OpenAPI document says. */
export type CheckResponse = (request: SentRequest, response: RawResponse) => void

interface Documented {
  readonly headers?: Record<string, { readonly required?: boolean; readonly schema: object }>
  readonly content?: Record<string, { readonly schema: object }>
}
type Responses = Record<string, Documented & { readonly $ref?: string }>
type PathItem = Record<string, { readonly responses: Responses }>

export interface OpenApiDocument {
  readonly paths: Record<string, PathItem>
  readonly components: SchemaComponents & { readonly responses: Responses }
}

/** Headers that every response may have, and that no document repeats for each. */
const COMMON_HEADERS = new Set(
  (
    'link access-control-allow-origin access-control-expose-headers x-content-type-options connection date vary ' +
    'content-security-policy content-type content-length content-encoding cache-control x-authentication'
  ).split(' '),
)

/** Checks responses against a document, whose schemas are compiled when they are first needed. */
export function createCheckResponse(document: OpenApiDocument): CheckResponse {
  const compiled = new Map<object, ValidateFunction>()
  const routes = Object.entries(document.paths).map(([path, item]) => ({ parts: partsOf(path), item }))

  function requireValid(schema: object, value: unknown, where: string): void {
    const validate = compiled.get(schema) ?? validatorOf(schema, document.components)
    compiled.set(schema, validate)
    assert.ok(validate(value), `${where}: ${errorsOf(validate)}`)
  }

  function requireHeaders({ headers = {} }: Documented, sent: RawResponse, where: string): void {
    const documented = new Map(Object.entries(headers).map(([name, one]) => [name.toLowerCase(), one]))
    for (const [name, { required, schema }] of documented) {
      const value = sent.headers[name]
      if (required) assert.ok(value !== undefined, `${where}: no header ${name}`)
      if (value !== undefined) requireValid(schema, typedAs(schema, value), `${where}: header ${name}`)
    }
    const unknown = sent.headerNames.find(
      (name) => !documented.has(name.toLowerCase()) && !COMMON_HEADERS.has(name.toLowerCase()),
    )
    assert.equal(unknown, undefined, `${where}: the header is not documented`)
  }

  function requireBody({ content }: Documented, sent: RawResponse, where: string): void {
    const { body: text } = sent
    if (content === undefined) assert.equal(text, '', `${where}: a body is not documented`)
    // As text it cannot be decoded; it is compared with the other one where compression is tested.
    if (content === undefined || sent.headers['content-encoding'] !== undefined) return
    // A document cannot say that a body is left out: with return=minimal, and where the user may not read the member.
    if (text === '' && sent.status === 201) return
    const type = sent.headers['content-type']?.split(';')[0] ?? ''
    const schema = content[type]?.schema
    assert.ok(schema, `${where}: the type ${type} is not documented`)
    requireValid(schema, type.endsWith('json') ? JSON.parse(text) : text, where)
  }

  return ({ method, path }, sent) => {
    const where = `${method} ${path.slice(0, 200)} → ${sent.status}, which is not as documented`
    const { status, headers } = sent
    // CORS and the methods of a resource are no part of OpenAPI.
    if (method === 'OPTIONS' && status < 300) return
    const item = routes.find(({ parts }) => matches(parts, partsOf(path)))?.item
    const isExchange = status === 200 && headers['x-authorization'] !== undefined
    const operation = isExchange
      ? document.paths['/']?.head
      : item?.[method === 'HEAD' ? 'get' : method.toLowerCase()]
    // Whatever is not documented must be refused, in the way that every refusal is documented.
    const responses = operation?.responses ?? REFUSALS
    const found = responses[status] ?? responses[`${String(status)[0]}XX`]
    assert.ok(found, `${where}: the status`)
    const documented =
      found.$ref === undefined ? found : document.components.responses[found.$ref.split('/').at(-1) ?? '']
    assert.ok(documented, where)
    requireHeaders(documented, sent, where)
    if (isExchange) assert.ok(method === 'HEAD' || /^\{"200": ?"[^"]+"\}$/.test(sent.body), where)
    else if (method === 'HEAD') assert.equal(sent.body, '', where)
    else requireBody(documented, sent, where)
  }
}

const REFUSALS: Responses = Object.fromEntries(
  ['4XX', '5XX'].map((name) => [name, { $ref: `#/components/responses/${name}` }]),
)

/** The decoded segments of a path below the base; `` and `/` are the same. */
function partsOf(path: string): string[] {
  const [bare = ''] = path.split(/[?#]/)
  return (bare || '/').split('/').slice(1).map(decoded)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const matches = (template: readonly string[], parts: readonly string[]): boolean =>
  template.length === parts.length &&
  template.every((part, index) => (part.startsWith('{') ? parts[index] !== '' : part === parts[index]))

const typedAs = (schema: object, value: string): unknown =>
  'type' in schema && schema.type === 'integer' ? Number(value) : value

const BASE = 'http://documented.example/api'
const checks = new Map<string, CheckResponse>()

/** The roles of the users whom a document is for; undefined where it describes everything. */
export type Described = readonly string[] | 'anyone' | undefined

interface CheckOptions extends Pick<Parameters<typeof createOpenApi>[2], 'mode' | 'pageSizes'> {
  readonly hasOldMembers?: boolean
  /** The text of the API file, if the model was made from it alone: then each document is made once in a process. */
  readonly file?: string | undefined
}

/** The check for users with these roles; compiled once for all services that have the same document. */
export function checkFor(model: Model, roles: Described, options: CheckOptions): CheckResponse {
  if (options.file === undefined) return checkOfDocument(model, roles, options)
  const { mode, pageSizes, hasOldMembers, file } = options
  const key = JSON.stringify([mode, pageSizes, hasOldMembers, roles, file])
  const check = ofFiles.get(key) ?? checkOfDocument(model, roles, options)
  ofFiles.set(key, check)
  return check
}

const ofFiles = new Map<string, CheckResponse>()

function checkOfDocument(model: Model, roles: Described, options: CheckOptions): CheckResponse {
  const { mode, pageSizes, hasOldMembers } = options
  const isAnyone = roles === 'anyone'
  const permitted = roles === undefined ? model : permittedModel(model, isAnyone ? undefined : roles)
  const document = createOpenApi(permitted, BASE, { mode: isAnyone ? roles : mode, pageSizes, model })
  const text = JSON.stringify(document, hasOldMembers ? withoutRequired : undefined)
  const check = checks.get(text) ?? createCheckResponse(JSON.parse(text))
  checks.set(text, check)
  return check
}

const withoutRequired = (key: string, value: unknown) =>
  key === 'required' && Array.isArray(value) ? value.filter((name) => name.startsWith('@')) : value

/** A response as the service at `BASE` would have sent it. */
export const atBase = (response: RawResponse, base: string): RawResponse => ({
  ...response,
  body: response.body.replaceAll(base, BASE),
})
