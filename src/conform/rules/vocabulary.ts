import { nearest } from '../../text.ts'
import { HYDRA, SH, XSD } from '../../vocabulary/index.ts'
import type { DocumentNode, RdfLiteral } from '../../vocabulary/long-form/graph.ts'
import type { ApiFacts } from '../facts.ts'
import type { ApiPlace, UnreadableReason } from '../resource.ts'
import { type BrokenAt, places, rule } from '../rule.ts'
import { hydraName, REPLACED, TERMS, type TermKind } from '../terms.ts'

interface UsedTerm {
  readonly name: string
  readonly node: DocumentNode
  readonly at: string
}

/** Every use of a term of Hydra as a property or a type, in any response. */
function* usesOf({ described }: ApiFacts): Generator<UsedTerm> {
  for (const { nodes, placeOf } of described)
    for (const node of nodes)
      for (const iri of [...node.types, ...node.keys()]) {
        const name = hydraName(iri)
        if (name !== undefined) yield { name, node, at: placeOf(node) }
      }
}

/** The literals of terms of these kinds that are not what the vocabulary says. */
function* wrongLiterals(
  facts: ApiFacts,
  kind: TermKind,
  isRight: (literal: RdfLiteral) => boolean,
): Generator<BrokenAt<{ name: string }>> {
  for (const { name, node, at } of usesOf(facts)) {
    if (TERMS.get(name) !== kind && !(kind === 'flag' && name === 'writeable')) continue
    const isWrong = node.nodes(HYDRA + name).length > 0 || !node.literals(HYDRA + name).every(isRight)
    if (isWrong) yield { at, term: `hydra:${name}`, values: { name } }
  }
}

const isTyped = ({ datatype }: RdfLiteral, ...names: string[]): boolean =>
  datatype === undefined || names.some((name) => datatype === XSD + name)

export const VOCABULARY_RULES = {
  UnknownTerm: rule<{ name: string; near: string | undefined }>('wrong', 'hydra:', function* (facts) {
    for (const { name, at } of usesOf(facts))
      if (!TERMS.has(name) && !REPLACED.has(name))
        yield { at, term: `hydra:${name}`, values: { name, near: nearest(name, [...TERMS.keys()]) } }
  }),
  ReplacedTerm: rule<{ name: string; now: string }>('practice', 'hydra:', function* (facts) {
    for (const { name, node, at } of usesOf(facts)) {
      const now = REPLACED.get(name)
      // Both together serve old and new clients.
      if (now !== undefined && !node.has(HYDRA + now) && !node.isA(HYDRA + now))
        yield { at, term: `hydra:${name}`, values: { name, now } }
    }
  }),
  TextInsteadOfLink: rule<{ name: string }>('wrong', 'hydra:', function* (facts) {
    for (const { name, node, at } of usesOf(facts))
      if (TERMS.get(name) === 'link' && node.literals(HYDRA + name).length > 0)
        yield { at, term: `hydra:${name}`, values: { name } }
  }),
  NotABoolean: rule<{ name: string }>('wrong', 'hydra:', (facts) =>
    wrongLiterals(facts, 'flag', (one) => typeof one.value === 'boolean' || isBooleanText(one)),
  ),
  NotANumber: rule<{ name: string }>('wrong', 'hydra:', (facts) =>
    wrongLiterals(facts, 'number', (one) => Number.isInteger(one.value) || isIntegerText(one)),
  ),
  NotAText: rule<{ name: string }>('wrong', 'hydra:', (facts) =>
    wrongLiterals(
      facts,
      'text',
      (one) =>
        typeof one.value === 'string' &&
        (isTyped(one, 'string') || one.language !== undefined || hydraName(`${one.datatype}`) !== undefined),
    ),
  ),
  TermWithoutMeaning: rule<{ name: string }>('missing', '@context', function* ({ described }) {
    for (const { resource } of described)
      for (const name of resource.dropped) yield { at: resource.url, values: { name } }
  }),
  UndeclaredExtension: places('missing', 'hydra:extension', function* ({ root, documentation }) {
    if (root === undefined || root.has('hydra:extension')) return
    const uses = (node: DocumentNode) => [...node.keys(), ...node.types].some((iri) => iri.startsWith(SH))
    if ([...(documentation?.graph.values() ?? [])].some(uses)) yield root.id
  }),
  MemberAssertionOfTwo: places('wrong', 'hydra:memberAssertion', function* ({ described }) {
    for (const { nodes, placeOf } of described)
      for (const node of nodes)
        for (const assertion of node.nodes('hydra:memberAssertion', 'hydra:manages')) {
          const given = ['hydra:subject', 'hydra:property', 'hydra:object'].filter((name) =>
            assertion.has(name),
          )
          if (given.length !== 2) yield placeOf(node)
        }
  }),
  /** `api`: where the API may be, if the address that was given is that of a web page. */
  NotJsonLd: rule<{ reason: UnreadableReason; status: number; api?: ApiPlace | undefined }>(
    'wrong',
    '@context',
    function* ({ collections, entryPoint, start }) {
      const all = [entryPoint, ...collections.flatMap(({ first, member }) => [first, member ?? []].flat())]
      for (const one of all) {
        const { url, status, unreadable: reason } = one
        if (reason === undefined) continue
        const api = one === start ? one.api : undefined
        yield { at: url, values: { reason, status, api } }
      }
    },
  ),
  OtherMediaType: rule<{ mediaType: string }>('missing', 'application/ld+json', function* ({ described }) {
    for (const { resource } of described)
      if (resource.mediaType !== 'application/ld+json')
        yield { at: resource.url, values: { mediaType: resource.mediaType } }
  }),
}

/** A typed literal is written as text: `{"@value": "true", "@type": "xsd:boolean"}`. */
const isBooleanText = ({ value, datatype }: RdfLiteral): boolean =>
  datatype === `${XSD}boolean` && /^(?:true|false|1|0)$/.test(String(value))

const isIntegerText = ({ value, datatype }: RdfLiteral): boolean =>
  datatype?.startsWith(XSD) === true && /^[+-]?\d+$/.test(String(value))
