import type { ClassDescription, PropertyDescription } from 'hydrant-client'

type Told = Partial<PropertyDescription> & { readonly name: string }

/** A property as a documentation describes it that says hardly anything; a range by the end of its name. */
export const describedProperty = ({ range, ...told }: Told): PropertyDescription => ({
  iri: `http://shop.example/docs#Book/${told.name}`,
  title: told.name,
  description: '',
  range: range && `http://www.w3.org/2001/XMLSchema#${range}`,
  isLink: false,
  many: false,
  required: false,
  readable: true,
  writable: true,
  constraints: {},
  ...told,
})

export const describedClass = (...properties: readonly Told[]): ClassDescription => ({
  iri: 'http://shop.example/docs#Book',
  title: 'Book',
  description: '',
  properties: properties.map(describedProperty),
  operations: [],
  customOperations: [],
  superClasses: [],
  plural: '',
  label: [],
  uniqueTogether: [],
  removal: '',
  memberClass: undefined,
})
