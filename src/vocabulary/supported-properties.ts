import { classIri, propertyIri, reverseLinkIri, vocabIri } from './contexts.ts'
import type { Class, Model, Property, ReverseLink } from './model.ts'

/** Not at the property, which several classes may share and support in different ways. */
type SupportedFlags = Pick<Property, 'required' | 'writable'> &
  Partial<Pick<Property, 'always' | 'onDelete' | 'example' | 'unit'>> & {
    readonly reverseOf?: string | undefined
  }

/** `title` is the key in JSON, since clients use it as that; `writeable` is the former name of a term of Hydra. */
export const supportedProperty = (
  name: string,
  { required, writable, always, onDelete, reverseOf, example, unit }: SupportedFlags,
  property: { readonly description?: string; readonly [key: string]: unknown },
) => ({
  '@type': 'SupportedProperty',
  title: name,
  // Here and at the property, since some clients read one and some the other.
  ...described(property.description ?? ''),
  required,
  readable: true,
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
