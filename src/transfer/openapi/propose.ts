// Proposes an API file for the schemas of an OpenAPI document.
import { claimName } from '../../text.ts'
import { findNameProblem, plural } from '../../vocabulary/index.ts'
import { importProblem } from '../problems.ts'
import type { Proposal, ProposedClass, ProposedProperty } from '../proposal/file.ts'
import { camelCase, classNameFor, isFreePath, singular } from '../proposal/names.ts'
import { type JsonSchema, mapIn, type OpenApiDocument, textIn } from './document.ts'
import { DEEPEST } from './embedding.ts'
import { datatypeFor, proposeScalar, readOnlyKeys } from './propose-property.ts'
import { baseOfName, findRoles, type LeftOutReason, type SchemaRoles } from './roles.ts'
import { isNullable, namedShapeOf, type ObjectShape, objectOf, type SchemaShape, shapeOf } from './shape.ts'

const REASONS: Readonly<Record<LeftOutReason, string>> = {
  error: 'only errors have it',
  page: 'it is a page of a list, which every collection has by itself',
  sent: 'it is only sent, and never returned',
  single:
    'only a path without an id returns it; a class without a collection could be such a single resource',
  unused: 'no operation uses it',
}

/** Throws if there is nothing to propose. `shown`: the name of the file. */
export function proposeForOpenApi(document: OpenApiDocument, shown: string): Proposal {
  const roles = findRoles(document)
  const classes = new Proposer(document, roles).classes()
  if (classes.length === 0) throw importProblem('NoSchemasThere')
  return {
    title: document.title,
    description: document.description,
    classes,
    remarks: [
      `An API file for the schemas of ${JSON.stringify(shown)}.`,
      'Proposed from its schemas, and from what its operations return: look at the types, at what is required, and at what is embedded.',
      'Every member has an id, in its address.',
      ...[...roles.leftOut].map(([name, reason]) => `Left out: ${name}, since ${REASONS[reason]}.`),
    ],
  }
}

/** A class that is to be proposed. */
interface PlannedClass {
  readonly name: string
  readonly shape: ObjectShape
  readonly description: string | undefined
  readonly forms: readonly string[]
  /** 0 for a resource; for a value, how deep it is within a schema. */
  readonly depth: number
}

class Proposer {
  readonly #schemas: OpenApiDocument['schemas']
  readonly #roles: SchemaRoles
  readonly #names = new Set<string>()
  readonly #paths = new Set<string>()
  /** The class of each schema that has one: resources from the beginning, values when they are first used. */
  readonly #classOf = new Map<string, PlannedClass>()
  readonly #planned: PlannedClass[] = []

  constructor({ schemas }: OpenApiDocument, roles: SchemaRoles) {
    this.#schemas = schemas
    this.#roles = roles
    for (const [name, forms] of roles.resources) this.#plan(name, forms, 0)
  }

  classes(): ProposedClass[] {
    const done: ProposedClass[] = []
    // The list grows while values are found.
    for (let index = 0; index < this.#planned.length; index++) {
      const planned = this.#planned[index]
      if (planned !== undefined) done.push(this.#propose(planned))
    }
    return done
  }

  #plan(schemaName: string, forms: readonly string[], depth: number): PlannedClass {
    const own = mapIn(this.#schemas.get(schemaName))
    const found = [schemaName, ...forms].map((name) =>
      objectOf(mapIn(this.#schemas.get(name)), this.#schemas),
    )
    const [first] = found
    const properties = new Map(found.toReversed().flatMap((shape) => [...shape.properties]))
    const planned = {
      name: classNameFor(
        this.#schemas.has(baseOfName(schemaName)) ? schemaName : baseOfName(schemaName),
        this.#names,
      ),
      shape: { properties, required: first?.required ?? new Set<string>() },
      description: textIn(own.description),
      ...{ forms, depth },
    }
    this.#classOf.set(schemaName, planned)
    this.#planned.push(planned)
    return planned
  }

  #propose({ name, shape, description, forms, depth }: PlannedClass): ProposedClass {
    const remarks: string[] = forms.length === 0 ? [] : [`Other forms of it: ${forms.join(', ')}.`]
    const isResource = depth === 0
    const keys = [...shape.properties.keys()].filter(
      (key) => !key.startsWith('@') && !(isResource && key === 'id'),
    )
    const names = new Set(keys.filter((key) => findNameProblem(key) === undefined))
    const properties = keys.flatMap((key) => {
      const schema = shape.properties.get(key) ?? {}
      const found = this.#property(key, schema, { owner: name, depth })
      if (found === undefined) {
        remarks.push(`Left out: ${key}, which no type of an API file can hold.`)
        return []
      }
      const own = names.has(key) ? key : claimName(camelCase(key) || 'property', names)
      return [this.#finish(own, key, schema, found, shape.required.has(key))]
    })
    const usual = plural(name).toLowerCase()
    const path = isResource
      ? claimName([usual, `my-${usual}`].find(isFreePath) ?? 'rows', this.#paths)
      : false
    return {
      name,
      keys: { collection: path === usual ? undefined : path, description },
      properties,
      remarks,
    }
  }

  #finish(
    name: string,
    key: string,
    schema: JsonSchema,
    { type, keys, remarks }: Omit<ProposedProperty, 'name'>,
    isRequired: boolean,
  ): ProposedProperty {
    const given = schema.readOnly === true ? readOnlyKeys(key, type) : {}
    const isFilled = 'default' in given
    // An empty list, which a document may require, is no value here; and values that only the server sets must have a
    // source.
    const required =
      isRequired && !isNullable(schema) && keys.many !== true && (schema.readOnly !== true || isFilled)
    const title = name === key ? undefined : key
    const said = schema.writeOnly === true ? [...remarks, 'only sent there, never returned'] : remarks
    const description = textIn(schema.description)
    const all = { many: keys.many, required, ...keys, ...given, title, description }
    return { name, type, keys: 'always' in given ? { ...all, default: undefined } : all, remarks: said }
  }

  #property(
    key: string,
    schema: JsonSchema,
    owner: { readonly owner: string; readonly depth: number },
  ): Omit<ProposedProperty, 'name'> | undefined {
    const shape = this.#resolved(schema)
    const many = shape.kind === 'list'
    const one = many ? this.#resolved(shape.items) : shape
    const found = this.#single(key, one, { ...owner, outer: schema, many })
    return found && { ...found, keys: { many, ...found.keys } }
  }

  /** Follows references to schemas that are no objects. */
  #resolved(schema: JsonSchema): SchemaShape {
    let shape = shapeOf(schema)
    for (let times = 0; shape.kind === 'reference' && times < DEEPEST; times++) {
      const target = mapIn(this.#schemas.get(shape.name))
      const next = namedShapeOf(target)
      if (next.kind === 'object') return shape
      shape = next
    }
    return shape
  }

  #single(
    key: string,
    shape: SchemaShape,
    { owner, depth, outer, many }: { owner: string; depth: number; outer: JsonSchema; many: boolean },
  ): Omit<ProposedProperty, 'name'> | undefined {
    if (shape.kind === 'reference') {
      const name = this.#roles.formOf.get(shape.name) ?? shape.name
      const type = this.#classOf.get(name) ?? this.#plan(name, this.#formsOf(name), 1)
      return { type: type.name, keys: {}, remarks: [] }
    }
    if (shape.kind === 'object') {
      if (depth >= DEEPEST) return undefined
      const within = objectOf(shape.schema, this.#schemas)
      const name = classNameFor(`${owner} ${singular(key)}`, this.#names)
      const planned = {
        name,
        shape: within,
        description: undefined,
        forms: [],
        depth: depth + 1,
      }
      this.#planned.push(planned)
      return { type: name, keys: {}, remarks: [] }
    }
    if (shape.kind !== 'scalar') return undefined
    const linked = this.#linkedBy(key, shape.schema)
    if (linked !== undefined) return { type: linked, keys: {}, remarks: [] }
    const type = datatypeFor(shape.type, shape.schema)
    return type && proposeScalar(type, { schema: shape.schema, outer: many ? {} : outer, many })
  }

  #formsOf(name: string): string[] {
    return [...this.#roles.formOf].filter(([, base]) => base === name).map(([form]) => form)
  }

  /** API Platform gives the address of a linked resource, and only the name of the property says of which. */
  #linkedBy(key: string, { format }: JsonSchema): string | undefined {
    if (format !== 'iri-reference') return undefined
    const names = [key, singular(key)].map((name) => name.toLowerCase())
    const found = [...this.#roles.resources.keys()].find((name) =>
      names.includes(baseOfName(name).toLowerCase()),
    )
    return found === undefined ? undefined : this.#classOf.get(found)?.name
  }
}
