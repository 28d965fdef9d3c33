import { type CollectionClass, mappingProperty, pathTo, vocabIri } from '../../vocabulary/index.ts'
import { encodeByte } from '../query/encoding.ts'
import { isRepeatable, type Parameter } from '../query/parameters.ts'

/** Hydra has properties for some of what a query may say; the others get one below the vocabulary. */
const HYDRA_PROPERTIES: Readonly<Record<string, string>> = {
  q: 'hydra:freetextQuery',
  page: 'hydra:pageIndex',
  itemsPerPage: 'hydra:limit',
}

/** The search template of a collection: one variable, with its mapping, for each parameter. */
export function representSearch(
  cls: CollectionClass,
  base: string,
  parameters: readonly Parameter[],
): object {
  const address = base + pathTo(cls.collection)
  return {
    '@id': `${address}#search`,
    '@type': 'IriTemplate',
    template: `${address}{?${parameters.map(variableOf).join(',')}}`,
    variableRepresentation: 'BasicRepresentation',
    mapping: parameters.map((parameter) => ({
      '@type': 'IriTemplateMapping',
      variable: parameter.name,
      property: propertyOf(parameter, cls, base),
      required: false,
    })),
  }
}

/** RFC 6570 §2.4.2: a variable that may be repeated is exploded, so that a list becomes any-of and not one long value. */
const variableOf = (parameter: Parameter): string =>
  variableIn(parameter.name) + (isRepeatable(parameter) ? '*' : '')

/** RFC 6570 §2.3: letters of ASCII, digits and "_" stand for themselves in the name of a variable; UTF-8 for the rest. */
const variableIn = (name: string): string => encodeURIComponent(name).replaceAll(/[-.~]/g, encodeByte)

function propertyOf(parameter: Parameter, cls: CollectionClass, base: string): string {
  switch (parameter.role) {
    case 'filter':
      if (parameter.operator === 'eq') return mappingProperty(cls, parameter.property, base)
      return vocabIri(base, `${parameter.operator}/${parameter.property.name}`)
    case 'exists':
    case 'order':
      return vocabIri(base, `${parameter.role}/${parameter.property.name}`)
    default:
      return HYDRA_PROPERTIES[parameter.role] ?? vocabIri(base, parameter.role)
  }
}
