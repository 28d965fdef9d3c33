import { HYDRA, OWL, RDFS } from '../../vocabulary/index.ts'
import type { DocumentNode } from '../../vocabulary/long-form/graph.ts'
import type { ApiFacts } from '../facts.ts'
import { resourcesOf } from '../facts.ts'
import { isSameAddress } from '../reading.ts'
import type { UnreadableReason, VisitedResource } from '../resource.ts'
import { places, rule } from '../rule.ts'

const isLinked = ({ links }: VisitedResource): boolean =>
  links.some(({ rel }) => rel === `${HYDRA}apiDocumentation`)

/** Terms whose documentation is elsewhere: everybody knows them, or can look them up. */
const isElsewhere = (iri: string, { isOwn }: ApiFacts): boolean => !isOwn(iri)

export const DOCUMENTATION_RULES = {
  NoDocumentationLink: places('wrong', 'hydra:apiDocumentation', ({ start }) =>
    isLinked(start) ? [] : [start.url],
  ),
  NoDocumentationLinkHere: places('missing', 'hydra:apiDocumentation', (facts) =>
    [...resourcesOf(facts), facts.unknownMember, facts.unknownParameter]
      .filter((one) => one !== undefined && one.status > 0 && one !== facts.start && !isLinked(one))
      .map((one) => one?.url),
  ),
  NoDocumentation: rule<{ reason: UnreadableReason; status: number }>(
    'wrong',
    'hydra:ApiDocumentation',
    function* ({ documentation }) {
      const { unreadable: reason, url, status } = documentation ?? {}
      if (reason !== undefined) yield { at: url as string, values: { reason, status: status as number } }
    },
  ),
  NotApiDocumentation: places('wrong', 'hydra:ApiDocumentation', ({ documentation, root }) =>
    documentation !== undefined && documentation.unreadable === undefined && root === undefined
      ? [documentation.url]
      : [],
  ),
  DocumentationElsewhere: places('missing', 'hydra:ApiDocumentation', ({ documentation, root }) =>
    documentation !== undefined && root !== undefined && !isSameAddress(root.id, documentation.url)
      ? [documentation.url]
      : [],
  ),
  NoEntryPoint: places('missing', 'hydra:entrypoint', ({ root }) =>
    root !== undefined && !root.has('hydra:entrypoint') ? [root.id] : [],
  ),
  NoApiTitle: places('missing', 'hydra:title', ({ root }) =>
    root !== undefined && !root.has('hydra:title') ? [root.id] : [],
  ),
  NoApiDescription: places('practice', 'hydra:description', ({ root }) =>
    root !== undefined && !root.has('hydra:description') ? [root.id] : [],
  ),
  NoSupportedClass: places('wrong', 'hydra:supportedClass', ({ root, classes }) =>
    root !== undefined && classes.length === 0 ? [root.id] : [],
  ),
  ClassWithoutAddress: places('wrong', 'hydra:Class', ({ classes, placeOf }) =>
    classes.filter(({ isBlank }) => isBlank).map(placeOf),
  ),
  ClassNotDescribed: places('wrong', 'hydra:supportedClass', ({ classes, isDocumented }) =>
    classes.filter(({ id, isBlank }) => !isBlank && !isDocumented(id)).map(({ id }) => id),
  ),
  ClassWithoutType: places('practice', 'hydra:Class', (facts) =>
    facts.classes
      .filter((cls) => facts.isDocumented(cls.id) && !cls.isA('hydra:Class', `${RDFS}Class`))
      .map(facts.placeOf),
  ),
  ClassWithoutTitle: places('missing', 'hydra:title', (facts) =>
    facts.classes
      .filter((cls) => facts.isDocumented(cls.id) && !cls.has('hydra:title', `${RDFS}label`))
      .map(facts.placeOf),
  ),
  SeveralTitles: places('practice', 'hydra:title', function* ({ documentation, placeOf }) {
    for (const node of documentation?.graph.values() ?? [])
      if (hasSeveral(node, 'hydra:title') || hasSeveral(node, `${RDFS}label`)) yield placeOf(node)
  }),
  UnknownClass: rule<{ iri: string }>('wrong', 'hydra:supportedClass', function* (facts) {
    const { operations, properties, isDocumented } = facts
    const named = [
      ...operations.map(({ operation, at }) => ({
        at,
        nodes: operation.nodes('hydra:expects', 'hydra:returns'),
      })),
      ...properties.map(({ property, at }) => ({ at, nodes: property?.nodes(`${RDFS}range`) ?? [] })),
    ]
    for (const { at, nodes } of named)
      for (const { id, isBlank } of nodes)
        if (!isBlank && id !== `${OWL}Nothing` && !isElsewhere(id, facts) && !isDocumented(id))
          yield { at, values: { iri: id } }
  }),
}

/** Two texts in one language. */
function hasSeveral(node: DocumentNode, name: string): boolean {
  const texts = new Map<string, Set<unknown>>()
  for (const { value, language = '' } of node.literals(name))
    texts.set(language, (texts.get(language) ?? new Set()).add(value))
  return [...texts.values()].some(({ size }) => size > 1)
}
