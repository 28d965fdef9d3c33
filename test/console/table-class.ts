import type { ClassDescription, PropertyDescription } from 'hydrant-client'
import { cls, property, XSD } from './descriptions.ts'

const BOOK = 'http://shop.example/docs#Book'

type Told = Partial<PropertyDescription> & { readonly name: string }

/** A property as a documentation describes it that says hardly anything; a range by the end of its name. */
export const describedProperty = ({ name, range, ...told }: Told): PropertyDescription => ({
  ...property(name, range && XSD + range),
  iri: `${BOOK}/${name}`,
  ...told,
})

export const describedClass = (...properties: readonly Told[]): ClassDescription => ({
  ...cls('Book', ...properties.map(describedProperty)),
  iri: BOOK,
})
