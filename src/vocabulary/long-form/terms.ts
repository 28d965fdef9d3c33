import { nearest } from '../../text.ts'
import { findBundledContext } from '../json-ld/bundled-contexts.ts'
import type { ExpandedNode } from '../json-ld/processor.ts'
import { HYDRA } from '../namespaces.ts'
import { type Findings, quoted } from './findings.ts'
import { lastPart } from './names.ts'

/** Every term of Hydra, those of older drafts included. */
const TERMS = Object.entries(findBundledContext(HYDRA) ?? {})
  .filter(([, definition]) => JSON.stringify(definition).includes('"hydra:'))
  .map(([term]) => term)

/** Of the oldest drafts: servers still send them, and nobody should write them anew. */
const OUTDATED = ['firstPage', 'itemsPerPage', 'lastPage', 'nextPage', 'previousPage', 'statusCodes']

const KNOWN = new Set([...TERMS, ...OUTDATED])

const isClass = (term: string) => /^[A-Z]/.test(term)

/** A misspelt term of Hydra says nothing, and nobody would notice: each is told once, with the first place of it. */
export function noteUnknownTerms(nodes: readonly ExpandedNode[], findings: Findings): void {
  const told = new Set<string>()
  visit(nodes, '')

  function visit(value: unknown, where: string): void {
    if (Array.isArray(value)) {
      for (const one of value) visit(one, where)
    } else if (typeof value === 'object' && value !== null && !Object.hasOwn(value, '@value')) {
      const node = value as ExpandedNode
      const here = nameOf(node) ?? where
      for (const type of [node['@type'] ?? []].flat()) tell(String(type), here)
      for (const [key, values] of Object.entries(node)) {
        tell(key, here)
        if (key !== '@type') visit(values, here)
      }
    }
  }

  function tell(iri: string, where: string): void {
    if (!iri.startsWith(HYDRA) || told.has(iri)) return
    told.add(iri)
    const term = iri.slice(HYDRA.length)
    if (KNOWN.has(term)) return
    const candidates = TERMS.filter((one) => isClass(one) === isClass(term))
    const meant = nearest(term, candidates)
    const right = meant === undefined ? 'see the Hydra Core Vocabulary' : `did you mean "hydra:${meant}"?`
    const place = where === '' ? '' : ` in ${quoted(where)}`
    findings.ignored('', `${quoted(`hydra:${term}`)}${place} is not a term of Hydra; ${right}`)
  }
}

/** Its title, or the end of its address. */
function nameOf(node: ExpandedNode): string | undefined {
  const [title] = [node[`${HYDRA}title`] ?? []].flat() as { readonly '@value'?: unknown }[]
  if (typeof title?.['@value'] === 'string') return title['@value']
  return typeof node['@id'] === 'string' ? lastPart(node['@id']) : undefined
}
