import {
  type Class,
  type CollectionClass,
  hasCollection,
  type Model,
  mappingProperty,
  pathTo,
  type SearchProperties,
  vocabIri,
} from '../../vocabulary/index.ts'
import { toVariable } from '../query/encoding.ts'
import { isRepeatable, type Parameter, templateParameters } from '../query/parameters.ts'
import { representTemplate } from './template.ts'

/** Parameters that have a property in Hydra; others get one of this API's vocabulary (`SEARCH_TERMS`). */
const HYDRA_PROPERTIES: Readonly<Record<string, string>> = {
  q: 'hydra:freetextQuery',
  page: 'hydra:pageIndex',
  itemsPerPage: 'hydra:limit',
  after: 'hydra:pageReference',
  before: 'hydra:pageReference',
}

/** The search template of a collection: one variable, with its mapping, for each parameter. */
export function representSearch(cls: CollectionClass, model: Pick<Model, 'classes'>, base: string): object {
  const address = base + pathTo(cls.collection)
  return representTemplate({
    id: `${address}#search`,
    address,
    variables: templateParameters(cls, model).map((parameter) => ({
      // Encoded in both, since clients do not decode it. Orders are not, since API Platform looks for `order[p]`.
      name: toVariable(parameter.name),
      ...(parameter.role === 'order' && { mapped: parameter.name }),
      isExploded: isRepeatable(parameter),
      property: propertyOf(parameter, cls, base),
    })),
  })
}

function propertyOf(parameter: Parameter, cls: Class, base: string): string {
  const { role } = parameter
  if (!('property' in parameter)) return HYDRA_PROPERTIES[role] ?? vocabIri(base, role)
  const { term, property } = caseOf(parameter)
  // What a path leads to is not a property of the class.
  if (term === 'eq' && !property.name.includes('.')) return mappingProperty(cls, property, base)
  return caseIri(parameter, base)
}

type CaseParameter = Extract<Parameter, { readonly property: unknown }>

/** The search term of a parameter, and the property that it asks about. */
const caseOf = (parameter: CaseParameter) => ({
  term: parameter.role === 'filter' ? parameter.operator : parameter.role,
  property: parameter.property,
})

function caseIri(parameter: CaseParameter, base: string): string {
  const { term, property } = caseOf(parameter)
  return vocabIri(base, `${term}/${property.name}`)
}

/** The properties of all search mappings that are cases of a search term, for the documentation. */
export function searchProperties(model: Model, base: string): SearchProperties {
  const byTerm = new Map<string, Set<string>>()
  for (const cls of model.classes) {
    if (!hasCollection(cls) || !cls.operations.has('list')) continue
    for (const parameter of templateParameters(cls, model)) {
      if (!('property' in parameter)) continue
      const iri = caseIri(parameter, base)
      if (propertyOf(parameter, cls, base) !== iri) continue
      const { term } = caseOf(parameter)
      byTerm.set(term, (byTerm.get(term) ?? new Set()).add(iri))
    }
  }
  return new Map([...byTerm].map(([term, iris]) => [term, [...iris]]))
}
