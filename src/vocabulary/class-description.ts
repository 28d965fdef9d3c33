import { permittedOperations } from './access.ts'
import type { WithAnswers } from './answers.ts'
import { classIri, propertyIri, vocabIri } from './contexts.ts'
import { prefixed } from './datatypes.ts'
import { type Class, type CustomOperation, isSingle, type Model, type Property } from './model.ts'
import { describing, memberOperations } from './operations.ts'
import { linkedCollection, rangeClassIri } from './shapes.ts'

/** A class of the documentation. */
export interface DescribedClass {
  readonly '@id': string
  readonly [key: string]: unknown
}

/** Sources of every description. */
export interface Describing {
  readonly model: Model
  readonly base: string
  readonly withAnswers: WithAnswers
}

/** The class of the members of a collection, of a single resource, or of an embedded value. */
export function memberClass(cls: Class, sources: Describing): DescribedClass {
  const { base, withAnswers } = sources
  const iri = classIri(cls, base)
  const { name, title } = cls
  const description = described(cls.description)
  return {
    '@id': iri,
    '@type': 'Class',
    title,
    ...description,
    // A class of which the user sees nothing is named only as the range of a link.
    ...((cls.operations.size > 0 || cls.properties.length > 0) && { plural: cls.plural }),
    ...(cls.label.length > 0 && { labelProperty: propertyIris(cls, cls.label, base) }),
    ...(cls.uniqueTogether.length > 0 && {
      uniqueTogether: cls.uniqueTogether.map((names) => ({ property: propertyIris(cls, names, base) })),
    }),
    ...(isSingle(cls) && { linkedBy: entryPointLink(name, iri, base, { label: title, ...description }) }),
    supportedProperty: [
      ...cls.properties.map((property) => memberProperty(property, cls, sources)),
      ...permittedOperations(cls).map((one) => ownOperationLink(one, cls, sources)),
    ],
    // A class that is only embedded has no operations.
    ...(cls.operations.size > 0 && {
      supportedOperation: memberOperations(cls, base).map((one) => withAnswers(one, { kind: 'member', cls })),
    }),
  }
}

/**
 * A term of another vocabulary may be shared by several classes, so it gets nothing that holds for one of them alone: a
 * domain would make every member with the property a member of every such class.
 */
function memberProperty(property: Property, cls: Class, { model, base }: Describing): object {
  const { range, many, iri } = property
  const isShared = iri !== undefined
  const label = { label: property.title }
  const owner = classIri(cls, base)
  const description = described(property.description)
  return supportedProperty(
    property.name,
    { ...property, ...(isShared && { ...label, ...description }) },
    {
      '@id': propertyIri(cls, property, base),
      '@type': range.kind === 'link' ? 'Link' : 'rdf:Property',
      ...(!isShared && { ...label, ...description }),
      ...(isShared ? { domainIncludes: owner } : { domain: owner }),
      range: range.kind === 'datatype' ? prefixed(range.datatype) : rangeClassIri(range, model, base),
      ...(range.kind !== 'datatype' && !many && { 'owl:maxCardinality': 1 }),
      ...linkedCollection(range, model, base),
    },
  )
}

const propertyIris = (cls: Class, names: readonly string[], base: string): string[] =>
  names.flatMap((name) => {
    const property = cls.properties.find((one) => one.name === name)
    return property === undefined ? [] : propertyIri(cls, property, base)
  })

/**
 * Hydra describes operations on a resource, but a custom operation has an address below the member. So the member links to
 * that address, and the link has the operation.
 */
function ownOperationLink(
  operation: CustomOperation,
  cls: Class,
  { model, base, withAnswers }: Describing,
): object {
  const { name, title, expects, returns } = operation
  const iriOf = (className: string | undefined) => {
    const found = model.classes.find((one) => one.name === className)
    return found === undefined ? 'owl:Nothing' : classIri(found, base)
  }
  const about = { method: 'POST', title, expects: iriOf(expects), returns: iriOf(returns) }
  return supportedProperty(
    name,
    { required: false, writable: false },
    {
      '@id': vocabIri(base, `${cls.name}/${name}`),
      '@type': 'Link',
      label: title,
      domain: classIri(cls, base),
      range: 'hydra:Resource',
      'owl:maxCardinality': 1,
      supportedOperation: [
        withAnswers(describing(base, cls.name)(name, 'Action', about), { kind: 'custom', operation }),
      ],
    },
  )
}

export const entryPointLink = (
  path: string,
  range: unknown,
  base: string,
  about: object = { label: path },
) => ({
  '@id': vocabIri(base, `EntryPoint/${path}`),
  '@type': 'Link',
  ...about,
  domain: vocabIri(base, 'EntryPoint'),
  'owl:maxCardinality': 1,
  range,
})

/** Not at the property, which several classes may share and support in different ways. */
type SupportedFlags = Pick<Property, 'required' | 'writable'> &
  Partial<Pick<Property, 'always' | 'onDelete' | 'example' | 'unit' | 'description'>> & {
    readonly label?: string
  }

/** `title` is the key in JSON, since clients use it as that; `writeable` is the former name of a term of Hydra. */
export const supportedProperty = (
  name: string,
  { label, description, required, writable, always, onDelete, example, unit }: SupportedFlags,
  property: { readonly [key: string]: unknown },
) => ({
  '@type': 'SupportedProperty',
  title: name,
  ...(label !== undefined && { label }),
  // Here and at the property, since some clients read one and some the other.
  ...described(description ?? ''),
  required,
  readable: true,
  writable,
  writeable: writable,
  ...(always !== undefined && { always }),
  ...(onDelete !== undefined && onDelete !== 'refuse' && { onDelete }),
  ...(example !== undefined && { example }),
  ...(unit !== undefined && { unit }),
  property,
})

export const described = (description: string) => (description === '' ? {} : { description })
