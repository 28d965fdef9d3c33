import {
  classIri,
  linkedCollection,
  propertyIri,
  rangeClassIri,
  reverseLinkIri,
  vocabIri,
} from '../contexts/contexts.ts'
import { prefixed } from '../datatypes.ts'
import type { Class, Model, Property, ReverseLink } from '../model.ts'

/**
 * A term of another vocabulary may be shared by several classes, so it gets nothing that holds for one of them alone: a
 * domain would make every member with the property a member of every such class.
 */
export function memberProperty(property: Property, cls: Class, model: Model, base: string): object {
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
  Partial<Pick<Property, 'always' | 'onDelete' | 'example' | 'unit' | 'description' | 'isWriteOnly'>> & {
    readonly label?: string
    readonly reverseOf?: string | undefined
  }

/** `title` is the key in JSON, since clients use it as that; `writeable` is the former name of a term of Hydra. */
export const supportedProperty = (
  name: string,
  {
    label,
    description,
    required,
    writable,
    always,
    onDelete,
    reverseOf,
    example,
    unit,
    isWriteOnly,
  }: SupportedFlags,
  property: { readonly [key: string]: unknown },
) => ({
  '@type': 'SupportedProperty',
  title: name,
  ...(label !== undefined && { label }),
  // Here and at the property, since some clients read one and some the other.
  ...described(description ?? ''),
  required,
  readable: isWriteOnly !== true,
  writable,
  writeable: writable,
  ...(always !== undefined && { always }),
  ...(onDelete !== undefined && onDelete !== 'refuse' && { onDelete }),
  ...(reverseOf !== undefined && { reverseOf }),
  ...(example !== undefined && { example }),
  ...(unit !== undefined && { unit }),
  property,
})

export const described = (description: string) => (description === '' ? {} : { description })

export const propertyIris = (cls: Class, names: readonly string[], base: string): string[] =>
  names.flatMap((name) => {
    const property = cls.properties.find((one) => one.name === name)
    return property === undefined ? [] : propertyIri(cls, property, base)
  })

/** asking.md, Links from the other side: the collection itself says which of its members it holds. */
export function supportedReverseLink(
  link: ReverseLink,
  cls: Class,
  { classes }: Model,
  base: string,
): object {
  const { name, className, property } = link
  const linking = classes.find((one) => one.name === className)
  const reverseOf = linking && propertyIris(linking, [property], base)[0]
  return supportedProperty(
    name,
    { required: false, writable: false, reverseOf },
    {
      '@id': reverseLinkIri(cls, link, base),
      '@type': 'Link',
      label: name,
      domain: classIri(cls, base),
      range: vocabIri(base, `${className}Collection`),
      'owl:maxCardinality': 1,
    },
  )
}
