import { datatypeOf } from '../datatypes.ts'
import { type Context, linkTerms, terms, termsOf, vocabTerms } from '../json-ld.ts'
import { type Class, type Model, type Property, pathOf, type Range, type ReverseLink } from '../model.ts'
import { type DELETION, HISTORY, HYDRA, OWL, pathTo, RDF, SCHEMA, SERVER_RESOURCES } from '../names.ts'
import { includedCollectionContext, includedCollectionTypes } from './included-collection.ts'

/**
 * The beginning of every context. Contexts are inline in every representation (hypermedia.md, Resources). Hydra's terms
 * and the user's are never in one scope, so that any property name works: no prefixes beside the user's terms, and no
 * term as a plain string, which could act as a prefix of an IRI (JSON-LD 1.1 §4.2.2).
 */
export const frame = (base: string): Context => ({ '@version': 1.1, '@vocab': vocabIri(base, '') })

/** An IRI keeps the letters of the name, as `@vocab` does; a URL (`pathTo`) is percent-encoded, as in HTTP. */
export const vocabIri = (base: string, name: string) => `${base}/vocab#${name}`

export const contextAddress = (name: string, base: string) => `${base}/contexts${pathTo(name)}`

export const classIri = (cls: Class, base: string) => cls.iri ?? vocabIri(base, cls.name)

export const propertyIri = (cls: Class, property: Property, base: string) =>
  property.iri ?? vocabIri(base, `${cls.name}/${property.name}`)

export const reverseLinkIri = (cls: Class, { name }: ReverseLink, base: string) =>
  vocabIri(base, `${cls.name}/${name}`)

/** Whether a property or a link from the other side has this name. */
const hasTerm = ({ properties, reverseLinks }: Class, term: string): boolean =>
  [...properties, ...reverseLinks].some(({ name }) => name === term)

/** The class of embedded values or of linked members. */
export function rangeClassIri(
  range: Exclude<Range, { kind: 'datatype' }>,
  model: Model,
  base: string,
): string {
  if (range.kind === 'embedded') return classIri(range.cls, base)
  const target = model.classes.find(({ name }) => name === range.className)
  return target === undefined ? vocabIri(base, range.className) : classIri(target, base)
}

/** The collection that the values of a link come from, for the pickers of forms, if the user may list it. */
export function linkedCollection(range: Range, { classes }: Model, base: string): object {
  if (range.kind !== 'link') return {}
  const target = classes.find(({ name }) => name === range.className)
  if (target?.collection === undefined || !target.operations.has('list')) return {}
  return { collection: base + pathTo(target.collection) }
}

/** The `@type` of a value: the name of its class, or its IRI (`/…`: below the base) if a property has that name. */
export const storedType = (cls: Class): string =>
  hasTerm(cls, cls.name) ? (cls.iri ?? `/vocab#${cls.name}`) : cls.name

export const memberType = (cls: Class, base: string): string => {
  const type = storedType(cls)
  return type.startsWith('/') ? base + type : type
}

/**
 * The members that are included in place of links (hypermedia.md, Related members): by property or link from the other
 * side, with the class that it leads to.
 */
export type Included = ReadonlyMap<string, IncludedClass>

export interface IncludedClass {
  readonly cls: Class
  readonly within: Included
}

/**
 * The context of a member: its own terms and no others. The context of an embedded value is scoped to its term.
 * `scope`: the term that this context is scoped to. A property of the same name is scoped to the type of the value
 * instead: `jsonld` applies a scoped context again if it contains a scoped term of that name, and
 * `jsonld-streaming-parser` fails on any term of that name.
 */
export function memberContext(cls: Class, base: string, included?: Included, scope?: string): Context {
  const own = cls.properties.map((property): [string, object] => [
    property.name,
    {
      '@id': propertyIri(cls, property, base),
      ...valueTerm(property, base, included?.get(property.name)),
      ...(property.many && { '@container': '@set' }),
    },
  ])
  const reverse = cls.reverseLinks.map((link): [string, object] => [
    link.name,
    {
      '@id': reverseLinkIri(cls, link, base),
      '@type': '@id',
      ...reverseTerm(link, base, included?.get(link.name)),
    },
  ])
  const all = [...own, ...reverse]
  // A type that is an IRI cannot have a context: a property called `http` would be taken for its prefix.
  const isTyped = storedType(cls) === cls.name
  const terms = all.filter(([name]) => name !== scope || !isTyped)
  const typed = all.filter(([name]) => name === scope && isTyped)
  // `@vocab` gives the class its IRI, unless it belongs to another vocabulary.
  if (cls.iri !== undefined && isTyped) terms.unshift([cls.name, { '@id': cls.iri }])
  if (typed.length > 0)
    terms.push([cls.name, { '@id': classIri(cls, base), '@context': Object.fromEntries(typed) }])
  if (cls.isOwned && !hasOperationProperty(cls) && scope !== 'operation')
    terms.push(['operation', { '@id': OPERATION_IRI, '@context': [null, OPERATION] }])
  if (cls.history !== undefined && scope !== HISTORY)
    for (const [name, term] of Object.entries(linkTerm(cls, HISTORY, base))) terms.push([name, term])
  for (const { name } of cls.customOperations ?? [])
    if (name !== scope) terms.push([name, { '@id': vocabIri(base, `${cls.name}/${name}`), '@type': '@id' }])
  return { ...frame(base), ...Object.fromEntries(terms) }
}

/** The key of a term of ours in a member: its name, or its IRI where the class has a property of that name. */
export const ownKey = (cls: Class, name: typeof HISTORY | typeof DELETION, base: string): string =>
  hasTerm(cls, name) ? vocabIri(base, name) : name

/** Our term for a link, where its name is free. */
export const linkTerm = (
  cls: Class,
  name: typeof HISTORY | typeof DELETION,
  base: string,
  more = {},
): Record<string, object> =>
  hasTerm(cls, name) ? {} : { [name]: { '@id': vocabIri(base, name), '@type': '@id', ...more } }

export const OPERATION_IRI = `${HYDRA}operation`

/** The context of an operation in a member's representation; the member's own terms are not in its scope. */
export const OPERATION: Context = {
  '@version': 1.1,
  hydra: HYDRA,
  owl: OWL,
  schema: SCHEMA,
  ...terms('hydra', 'Operation title method expectsHeader headerName possibleValue'),
  ...vocabTerms('hydra', 'expects returns'),
}

/** Whether a property is called `operation`: Hydra's operations then have their IRI as their key. */
export const hasOperationProperty = (cls: Class): boolean => hasTerm(cls, 'operation')

function valueTerm({ name, range }: Property, base: string, shown?: IncludedClass): Context {
  switch (range.kind) {
    case 'link':
      return {
        '@type': '@id',
        ...(shown && { '@context': includedContext(shown.cls, base, shown.within, name) }),
      }
    case 'embedded':
      // `null` removes the terms of the owner from the scope.
      return { '@context': [null, memberContext(range.cls, base, shown?.within, name)] }
    case 'datatype':
      if (range.datatype === 'langString') return { '@container': '@language' }
      return isNative(range) ? {} : { '@type': datatypeOf(range.datatype).iri }
  }
}

const collectionClass = ({ name }: Pick<Class, 'name'>, base: string) => ({
  name: `${name}Collection`,
  iri: vocabIri(base, `${name}Collection`),
})

function reverseTerm({ name }: ReverseLink, base: string, shown: IncludedClass | undefined): Context {
  if (shown === undefined) return {}
  const members = memberContext(shown.cls, base, shown.within, 'member')
  return { '@context': includedCollectionContext({ ...collectionClass(shown.cls, base), members }, name) }
}

/** The `@type` of the collection that stands in place of a link from the other side. */
export const reverseTypes = ({ name, className }: ReverseLink, base: string): string[] =>
  includedCollectionTypes(collectionClass({ name: className }, base), name)

/**
 * Added to the context of the owner, and does not replace it: an address that is not replaced is read by the term of its
 * property (JSON-LD 1.1 API §5.1.2, step 4). The owner may have a property with the name of the class. If the class or one
 * of its properties has the name `scope` too, that term has these terms as well: after a type with a context, `jsonld`
 * looks for the context of the owner's property only once its name is taken.
 */
function includedContext(cls: Class, base: string, included: Included, scope: string): Context {
  const isTyped = storedType(cls) === cls.name
  const own: Context = isTyped ? { [cls.name]: { '@id': classIri(cls, base) } } : {}
  const context: Context = { ...own, ...memberContext(cls, base, included, scope) }
  const taken = (isTyped ? own : context)[scope] as Context | undefined
  if (taken === undefined || '@context' in taken) return context
  return { ...context, [scope]: { ...taken, '@context': context } }
}

/** Whether the included class has another term of this name: an address that is not replaced must then be a node. */
export const hidesLink = (cls: Class, property: string): boolean =>
  cls.properties.some(({ name, range }) => name === property && range.kind !== 'link')

/** JSON strings, booleans and integers imply their datatype; all others need a type, or 1.0 would be an integer. */
export const isNative = (range: Range): boolean =>
  range.kind === 'datatype' && ['string', 'boolean', 'integer'].includes(range.datatype)

export const collectionContext = (cls: Class, base: string, included?: Included): Context => ({
  ...frame(base),
  hydra: HYDRA,
  rdf: RDF,
  ...terms('hydra', 'Collection PartialCollectionView IriTemplate IriTemplateMapping totalItems'),
  // `null` removes everything above from the scope.
  member: {
    '@id': 'hydra:member',
    '@type': '@id',
    '@context': [null, memberContext(cls, base, included, 'member')],
  },
  view: { '@id': 'hydra:view', '@type': '@id', '@context': linkTerms('hydra', 'first last next previous') },
  memberAssertion: { '@id': 'hydra:memberAssertion', '@context': ASSERTION },
  search: { '@id': 'hydra:search', '@context': searchContext(cls, base) },
  summary: { '@id': vocabIri(base, 'summary'), '@context': TEMPLATE },
})

export const ASSERTION: Context = {
  ...vocabTerms('hydra', 'property object'),
  ...linkTerms('hydra', 'subject'),
}

/** The terms of a template and its mappings. */
export const TEMPLATE: Context = {
  ...termsOf('template mapping variable required', (name) => ({ '@id': `hydra:${name}` })),
  ...vocabTerms('hydra', 'property variableRepresentation'),
  BasicRepresentation: { '@id': 'hydra:BasicRepresentation' },
}

// `search` itself: see `scope` above.
const SEARCH_NAMES = new Set([
  ...Object.keys(TEMPLATE),
  ...['hydra', 'rdf', 'search', 'IriTemplate', 'IriTemplateMapping'],
])

/** The `property` in a mapping of the search template: the name, or the IRI if Hydra needs the name itself. */
export const mappingProperty = (cls: Class, property: Property, base: string) =>
  SEARCH_NAMES.has(property.name) ? propertyIri(cls, property, base) : property.name

function searchContext(cls: Class, base: string): Context {
  const free = cls.properties.filter(({ name }) => !SEARCH_NAMES.has(name))
  const terms = free.map((property) => [property.name, { '@id': propertyIri(cls, property, base) }])
  return { ...Object.fromEntries(terms), ...TEMPLATE }
}

export function entryPointContext(model: Model, base: string): Context {
  const paths = [...SERVER_RESOURCES.map(({ path }) => path), ...entryPointPaths(model)]
  const links = paths.map((path) => [path, { '@id': vocabIri(base, `EntryPoint/${path}`), '@type': '@id' }])
  return {
    ...frame(base),
    hydra: HYDRA,
    ...Object.fromEntries(links),
    collection: {
      '@id': 'hydra:collection',
      '@type': '@id',
      '@context': { rdf: RDF, ...terms('hydra', 'Collection memberAssertion'), ...ASSERTION },
    },
  }
}

/**
 * The classes that the entry point links to. With access rules, it leaves out collections that offer the user nothing:
 * clients list every collection that they find there, and would be refused.
 */
export const entryPointClasses = ({ classes, access }: Model): readonly Class[] =>
  (access === undefined || access.isBuiltIn
    ? classes
    : classes.filter(
        ({ collection, operations }) =>
          collection === undefined || operations.has('list') || operations.has('create'),
      )
  ).filter(({ isApart }) => isApart === undefined)

/** The links of the entry point: collections by their paths, single resources by their classes. */
export const entryPointPaths = (model: Model): string[] =>
  entryPointClasses(model).flatMap((cls) => pathOf(cls) ?? [])
