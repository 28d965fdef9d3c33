import type { DocumentNode } from '../../vocabulary/long-form/graph.ts'
import type { ApiFacts } from '../facts.ts'
import { places, rule } from '../rule.ts'
import { decodedName, variablesOf } from '../template.ts'

interface TemplateFact {
  readonly node: DocumentNode
  readonly at: string
  readonly template: string | undefined
  readonly mappings: readonly DocumentNode[]
}

/** Every template, wherever it is used. */
function* templatesIn({ described }: ApiFacts): Generator<TemplateFact> {
  const seen = new Set<string>()
  for (const { resource, nodes, placeOf } of described) {
    const used = new Set(nodes.flatMap((node) => node.nodes('hydra:search').map(({ id }) => id)))
    for (const node of nodes) {
      if (!node.isA('hydra:IriTemplate') && !used.has(node.id) && !node.has('hydra:template')) continue
      // A page may only name the template of its collection.
      if (!node.isBlank && seen.has(node.id)) continue
      seen.add(node.id)
      const mappings = node.nodes('hydra:mapping').map((one) => resource.graph.get(one.id) ?? one)
      yield { node, at: placeOf(node), template: node.text('hydra:template'), mappings }
    }
  }
}

const whereTemplate = (facts: ApiFacts, isBroken: (one: TemplateFact) => boolean): string[] =>
  [...templatesIn(facts)].filter(isBroken).map(({ at }) => at)

const nameOf = (mapping: DocumentNode): string => decodedName(mapping.text('hydra:variable') ?? '')

export const SEARCH_RULES = {
  NoTemplate: places('wrong', 'hydra:template', (facts) =>
    whereTemplate(facts, ({ template }) => template === undefined),
  ),
  MalformedTemplate: places('wrong', 'hydra:template', (facts) =>
    whereTemplate(facts, ({ template = '' }) => variablesOf(template) === undefined),
  ),
  MappingWithoutVariable: places('wrong', 'hydra:variable', (facts) =>
    whereTemplate(facts, ({ mappings }) => mappings.some((one) => !one.has('hydra:variable'))),
  ),
  MappingWithoutProperty: rule<{ variable: string }>('missing', 'hydra:property', function* (facts) {
    for (const { at, mappings } of templatesIn(facts))
      for (const mapping of mappings)
        if (!mapping.has('hydra:property') && mapping.has('hydra:variable'))
          yield { at, values: { variable: nameOf(mapping) } }
  }),
  VariableNotInTemplate: rule<{ variable: string }>('wrong', 'hydra:variable', function* (facts) {
    for (const { at, mappings, template } of templatesIn(facts)) {
      const names = template === undefined ? undefined : variablesOf(template)
      const known = names && new Set(names)
      for (const mapping of mappings)
        if (known !== undefined && mapping.has('hydra:variable') && !known.has(nameOf(mapping)))
          yield { at, values: { variable: nameOf(mapping) } }
    }
  }),
  VariableNotMapped: rule<{ variable: string }>('missing', 'hydra:mapping', function* (facts) {
    for (const { at, mappings, template = '' } of templatesIn(facts)) {
      const mapped = new Set(mappings.map(nameOf))
      for (const variable of variablesOf(template) ?? [])
        if (!mapped.has(variable)) yield { at, values: { variable } }
    }
  }),
  MappingNotDescribed: rule<{ iri: string }>('missing', 'hydra:property', function* (facts) {
    const { isOwn, isDocumented, root } = facts
    if (root === undefined) return
    for (const { at, mappings } of templatesIn(facts))
      for (const { id, isBlank } of mappings.flatMap((one) => one.nodes('hydra:property')))
        if (!isBlank && isOwn(id) && !isDocumented(id)) yield { at, values: { iri: id } }
  }),
}
