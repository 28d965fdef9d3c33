// Finds out which schemas are resources, which are values within others, and which are only forms of another one.
import { plural } from '../../vocabulary/index.ts'
import { type JsonSchema, mapIn, type OpenApiDocument, type SchemaUse } from './document.ts'
import { findUnembeddable } from './embedding.ts'
import { namedShapeOf, objectOf, shapeOf } from './shape.ts'

export interface SchemaRoles {
  /** The resources, each with the schemas that are forms of it: `Book`, `Book.jsonld`, `BookCreate`. */
  readonly resources: ReadonlyMap<string, readonly string[]>
  /** The resource that a schema is a form of. */
  readonly formOf: ReadonlyMap<string, string>
  readonly leftOut: ReadonlyMap<string, LeftOutReason>
}

/** Why a schema has no class. */
export type LeftOutReason = 'error' | 'page' | 'sent' | 'single' | 'unused'

export function findRoles({ schemas, used }: OpenApiDocument): SchemaRoles {
  const objects = [...schemas.keys()].filter(
    (name) => namedShapeOf(schemas.get(name) ?? {}).kind === 'object',
  )
  const formOf = findForms(objects, schemas)
  const uses = usesOf({ schemas, used }, formOf)
  const inner = new Set(objects.flatMap((name) => [...namesWithin(name, schemas)]))
  const isDescribed = [...uses.values()].some((found) => found.has('member'))
  const resources = new Map<string, readonly string[]>()
  const leftOut = new Map<string, LeftOutReason>()
  for (const name of objects.filter((one) => !formOf.has(one))) {
    const reason = reasonFor(name)
    if (reason !== undefined) leftOut.set(name, reason)
    else if (!inner.has(name) || uses.get(name)?.has('member')) resources.set(name, formsOf(name))
  }
  const isResource = (name: string) => resources.has(name)
  for (const name of findUnembeddable([...resources.keys()], { schemas, isResource, formOf }))
    resources.set(name, resources.get(name) ?? formsOf(name))
  return { resources, formOf, leftOut }

  function formsOf(name: string): string[] {
    return objects.filter((one) => formOf.get(one) === name)
  }

  /** Without operations that return members, the schemas are all that the document says. */
  function reasonFor(name: string): LeftOutReason | undefined {
    const found = uses.get(name)
    if (found?.has('failed') && found.size === 1) return 'error'
    if (!isDescribed || found?.has('member')) return undefined
    if (isPage(name, schemas)) return 'page'
    if (found?.has('returned')) return 'single'
    if (found?.has('sent')) return 'sent'
    return inner.has(name) || hasId(name, schemas) ? undefined : 'unused'
  }
}

const hasId = (name: string, schemas: OpenApiDocument['schemas']): boolean =>
  objectOf(mapIn(schemas.get(name)), schemas).properties.has('id')

/** Where each schema is used; `member`: returned as one of several. */
function usesOf(
  { schemas, used }: Pick<OpenApiDocument, 'schemas' | 'used'>,
  formOf: ReadonlyMap<string, string>,
) {
  const uses = new Map<string, Set<SchemaUse | 'member'>>()
  for (const { schema, use, isOfMember } of used)
    for (const { name, isListed } of bodyNames(schema, schemas)) {
      const base = formOf.get(name) ?? name
      const found = uses.get(base) ?? new Set()
      uses.set(base, found.add(use))
      if (use === 'returned' && (isListed || isOfMember) && !isPage(name, schemas)) found.add('member')
    }
  return uses
}

interface BodyName {
  readonly name: string
  readonly isListed: boolean
}

/** The schemas that a body is, lists, or has a page of. */
function bodyNames(
  schema: JsonSchema,
  schemas: OpenApiDocument['schemas'],
  { isListed, depth }: { readonly isListed: boolean; readonly depth: number } = { isListed: false, depth: 0 },
): BodyName[] {
  const shape = shapeOf(schema)
  if (depth > 4) return []
  const within = (all: readonly JsonSchema[], isList = isListed) =>
    all.flatMap((one) => bodyNames(one, schemas, { isListed: isList, depth: depth + 1 }))
  if (shape.kind === 'list') return within([shape.items], true)
  if (shape.kind === 'object') return within(listsIn(shape.schema, schemas))
  if (shape.kind !== 'reference') return []
  const target = mapIn(schemas.get(shape.name))
  const isAlias = ['list', 'reference'].includes(namedShapeOf(target).kind)
  const lists = isPage(shape.name, schemas) ? listsIn(target, schemas) : []
  return [{ name: shape.name, isListed }, ...within(isAlias ? [target] : lists)]
}

const listsIn = (schema: JsonSchema, schemas: OpenApiDocument['schemas']): JsonSchema[] =>
  [...objectOf(schema, schemas).properties.values()].filter((one) => shapeOf(one).kind === 'list')

/** What a page has besides its members. */
const PAGE_KEY =
  /^(?:@.*|hydra:.*|_?links?|_?meta|total.*|count|page.*|per_?page|limit|offset|next.*|prev.*|first|last|cursor|has_?more|search|view|size|number)$/i

/** Whether an object only has a list of others, with what belongs to a page; or is called like a list of these. */
function isPage(name: string, schemas: OpenApiDocument['schemas']): boolean {
  const { properties } = objectOf(mapIn(schemas.get(name)), schemas)
  if (/^Hydra[A-Z]/.test(name)) return true
  const lists = [...properties].flatMap(([key, schema]) => {
    const shape = shapeOf(schema)
    const items = shape.kind === 'list' ? shapeOf(shape.items) : shape
    return shape.kind === 'list' && ['reference', 'object'].includes(items.kind) ? [{ key, items }] : []
  })
  const [only, ...more] = lists
  if (only === undefined || more.length > 0 || properties.has('id')) return false
  const others = [...properties.keys()].filter((key) => key !== only.key)
  if (others.length > 0 && others.every((key) => PAGE_KEY.test(key))) return true
  const item = only.items.kind === 'reference' ? baseOfName(only.items.name) : ''
  return item !== '' && LIST_WORDS.some((word) => isListName(name, item, word))
}

const LIST_WORDS = ['list', 'page', 'collection', 'results', 'result', 'response', 'paginated']

/** `Book_page`, `BookList`, `BooksResponse`, `PaginatedBooks` */
function isListName(name: string, item: string, word: string): boolean {
  const letters = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  const called = item.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  const rest = letters.replace(word, '')
  return rest !== letters && (rest === called || rest === plural(called))
}

/** `Book.jsonld-read` is a form of `Book`. */
export const baseOfName = (name: string): string => FORMAT.exec(name)?.[1] ?? name

/** The names of the schemas that the properties of a schema refer to. */
function* namesWithin(name: string, schemas: OpenApiDocument['schemas']): Generator<string> {
  for (const schema of objectOf(mapIn(schemas.get(name)), schemas).properties.values()) {
    let shape = shapeOf(schema)
    while (shape.kind === 'list') shape = shapeOf(shape.items)
    if (shape.kind === 'reference' && shape.name !== name) yield shape.name
  }
}

/** API Platform: `Book.jsonld-book.read`. Others: `BookCreate`, `CreateBook`, `Book_patch`. */
const FORMAT = /^([A-Z][^.-]*)(?:\.(?:json\w*|multipart|csv|xml|html)(?:$|[.-])|-[a-z])/
const BEGINNING = /^(?:Create|Update|New|Patch)(?=[A-Z])/
const ENDING =
  /_?(?:Create|Update|Input|Output|Request|Response|Read|Write|Patch|Dto|DTO|Payload|Body|create|update|input|output|patch)$/

/** The names that a schema would have without what makes it a form. */
const namesWithoutForm = (name: string): string[] => {
  const ended = name.replace(ENDING, '')
  return [ended, name.replace(BEGINNING, ''), ended.replace(BEGINNING, '')].filter((one) => one !== name)
}

function findForms(names: readonly string[], schemas: OpenApiDocument['schemas']): Map<string, string> {
  const forms = new Map<string, string>()
  const known = new Set(names)
  for (const name of names) {
    const base = FORMAT.exec(name)?.[1]
    if (base === undefined) continue
    // The first form stands for a schema that is not there by itself.
    const first = known.has(base) ? base : (names.find((one) => FORMAT.exec(one)?.[1] === base) ?? name)
    if (first !== name && isLike(name, first, schemas)) forms.set(name, first)
  }
  for (const name of names) {
    const base = namesWithoutForm(name).find((one) => known.has(one))
    if (base === undefined || forms.has(name) || !isLike(name, base, schemas)) continue
    // A form of a form is one of the first.
    const root = forms.get(base) ?? base
    if (root !== name) forms.set(name, root)
  }
  return forms
}

/** Whether at least half of the properties of a form are those of the other schema. */
function isLike(form: string, base: string, schemas: OpenApiDocument['schemas']): boolean {
  const keysOf = (name: string) => [...objectOf(mapIn(schemas.get(name)), schemas).properties.keys()]
  const [own, others] = [keysOf(form), new Set(keysOf(base))]
  return own.filter((key) => others.has(key)).length * 2 >= own.length
}
