import { HYDRA } from '../../vocabulary/index.ts'
import type { ApiFacts } from '../facts.ts'
import { CONTEXT_REL, type VisitedResource } from '../resource.ts'
import { places, rule } from '../rule.ts'

const PROBLEM = 'application/problem+json'

/** The answers to requests that were wrong. */
const refusalsIn = ({ unknownMember, unknownParameter }: ApiFacts): VisitedResource[] =>
  [unknownMember, unknownParameter].flatMap((one) =>
    one !== undefined && one.status >= 400 && one.status !== 429 ? [one] : [],
  )

const problemsIn = (facts: ApiFacts) =>
  refusalsIn(facts)
    .filter(({ mediaType, json }) => mediaType === PROBLEM && typeof json === 'object' && json !== null)
    .map((resource) => ({ resource, problem: resource.json as Readonly<Record<string, unknown>> }))

const whereRefused = (facts: ApiFacts, isBroken: (one: VisitedResource) => boolean): string[] =>
  refusalsIn(facts)
    .filter(isBroken)
    .map(({ url }) => url)

const isError = ({ graph }: VisitedResource): boolean =>
  [...graph.values()].some((node) => node.isA('hydra:Error', 'hydra:Status'))

export const ERROR_RULES = {
  UnknownMemberServed: rule<{ status: number }>('wrong', '404', function* ({ unknownMember }) {
    const { status = 0, url = '' } = unknownMember ?? {}
    const isRefused = status >= 400 && status < 500
    if (status > 0 && !isRefused) yield { at: url, values: { status } }
  }),
  UnknownParameterIgnored: places('practice', '400', ({ unknownParameter: answer }) =>
    answer !== undefined && answer.status >= 200 && answer.status < 300 ? [answer.url] : [],
  ),
  ServerError: rule<{ status: number }>('wrong', '400', function* ({ unknownParameter }) {
    const { status = 0, url = '' } = unknownParameter ?? {}
    if (status >= 500) yield { at: url, values: { status } }
  }),
  ErrorNotJson: places('missing', 'hydra:Error', (facts) =>
    whereRefused(facts, ({ json }) => typeof json !== 'object' || json === null),
  ),
  ErrorNotProblem: places('missing', PROBLEM, (facts) =>
    whereRefused(
      facts,
      ({ mediaType, json }) => typeof json === 'object' && json !== null && mediaType !== PROBLEM,
    ),
  ),
  ProblemWithoutContext: places('wrong', 'Link', (facts) =>
    problemsIn(facts)
      .filter(({ resource }) => !resource.links.some(({ rel }) => rel === CONTEXT_REL))
      .map(({ resource }) => resource.url),
  ),
  NotAnError: places('missing', 'hydra:Error', (facts) =>
    whereRefused(facts, (one) => typeof one.json === 'object' && one.json !== null && !isError(one)),
  ),
  OtherStatus: rule<{ status: number; said: string }>('wrong', 'status', function* (facts) {
    for (const { resource, problem } of problemsIn(facts))
      if (problem.status !== undefined && problem.status !== resource.status)
        yield { at: resource.url, values: { status: resource.status, said: String(problem.status) } }
  }),
  ProblemWithoutText: places('missing', 'title', (facts) =>
    problemsIn(facts)
      .filter(({ problem }) => typeof problem.title !== 'string' || typeof problem.detail !== 'string')
      .map(({ resource }) => resource.url),
  ),
  ProblemWithoutType: places('practice', 'type', (facts) =>
    problemsIn(facts)
      .filter(({ problem: { type } }) => typeof type !== 'string' || type === 'about:blank')
      .map(({ resource }) => resource.url),
  ),
  ProblemNotDescribed: rule<{ iri: string }>('practice', 'type', function* (facts) {
    for (const { resource, problem } of facts.root === undefined ? [] : problemsIn(facts)) {
      const iri = typeof problem.type === 'string' ? URL.parse(problem.type, resource.url)?.href : undefined
      if (iri !== undefined && facts.isOwn(iri) && !iri.startsWith(HYDRA) && !facts.isDocumented(iri))
        yield { at: resource.url, values: { iri } }
    }
  }),
}
