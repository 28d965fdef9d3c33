import { type CollectionClass, type Model, pathTo, propertyIri, vocabIri } from '../../vocabulary/index.ts'
import { type MappedVariable, representTemplate } from '../output/template.ts'
import { toVariable } from '../query/encoding.ts'
import { isRepeatable, type Parameter, templateParameters } from '../query/parameters.ts'
import { FIGURES, SUMMARY_PARAMETERS } from './parameters.ts'

const REPEATED: readonly string[] = ['group', ...FIGURES]

const HYDRA_PROPERTIES: Readonly<Record<string, string>> = {
  page: 'hydra:pageIndex',
  itemsPerPage: 'hydra:limit',
}

/** The variables that only summaries have. */
const ownVariables = (base: string): MappedVariable[] =>
  SUMMARY_PARAMETERS.map((name) => ({
    name,
    isExploded: REPEATED.includes(name),
    property: HYDRA_PROPERTIES[name] ?? vocabIri(base, name),
  }))

/** The template on a page of the collection, without filters: they would make it as large as the search template. */
export const representSummaryTemplate = (cls: CollectionClass, base: string): object => ({
  ...representTemplate({
    id: `${base}${pathTo(cls.collection)}#summary`,
    address: summariesAddress(cls, base),
    variables: ownVariables(base),
  }),
})

/** The template on the summaries themselves, with all filters of the collection. */
export function representSummarySearch(
  cls: CollectionClass,
  model: Pick<Model, 'classes'>,
  base: string,
): object {
  const address = summariesAddress(cls, base)
  const filters = templateParameters(cls, model).flatMap((parameter): MappedVariable[] => {
    const { name, role } = parameter
    if (role !== 'filter' && role !== 'exists' && role !== 'q') return []
    // Parameters win over properties of the same name.
    const isTaken = SUMMARY_PARAMETERS.some((one) => one === name)
    return [
      {
        name: isTaken ? `${name}.eq` : toVariable(name),
        isExploded: isRepeatable(parameter),
        property: propertyOf(parameter, cls, base),
      },
    ]
  })
  return representTemplate({
    id: `${address}#search`,
    address,
    variables: [...filters, ...ownVariables(base)],
  })
}

const summariesAddress = (cls: CollectionClass, base: string): string =>
  `${base}/summaries${pathTo(cls.collection)}`

/** The property as the collection's search template has it, but as a whole IRI: the context knows no class. */
function propertyOf(parameter: Parameter, cls: CollectionClass, base: string): string {
  if (!('property' in parameter)) return 'hydra:freetextQuery'
  const { property, role } = parameter
  const test = role === 'filter' ? parameter.operator : role
  const own = cls.properties.find(({ name }) => name === property.name)
  return test === 'eq' && own !== undefined
    ? propertyIri(cls, own, base)
    : vocabIri(base, `${test}/${property.name}`)
}
