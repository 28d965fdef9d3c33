import { ApiError, type ClassDescription, type CollectionDescription } from 'hydrant-client'
import { type Api, hasFeed, isAccountClass } from '../../../shared/connection/index.ts'
import type { ValuesByName } from '../../../shared/values.ts'
import type { PropertyDraft } from './draft.ts'
import { placeViolations } from './problems.ts'
import type { FormProblem } from './reading.ts'

/** A write as an operation of a batch. */
export interface AttemptedWrite {
  readonly method: 'POST' | 'PATCH'
  readonly target: string
  readonly ifMatch?: string | undefined
  readonly body: ValuesByName
}

export const creationIn =
  ({ iri }: CollectionDescription) =>
  (body: ValuesByName): AttemptedWrite => ({ method: 'POST', target: iri, body })

/** No name of a property has a space. */
const NO_PROPERTY = 'dry run'

/** The form does not wait longer for the problems that only the server can find. */
const PATIENCE_MS = 3_000

/**
 * Problems that only the server can find in what was typed, beside those that the form has found itself, so that all of
 * them are shown at once. Nothing is written: the write has a property that no class has, so that the server refuses it
 * with everything else that is wrong, and runs no hooks. It is sent in a batch whose last operation always fails, and a
 * batch is carried out as a whole or not at all (live.md, Many at once).
 */
export async function furtherProblems(
  api: Api,
  cls: ClassDescription | undefined,
  write: AttemptedWrite,
  { drafts, root, found }: { drafts: readonly PropertyDraft[]; root: string; found: readonly FormProblem[] },
): Promise<readonly FormProblem[]> {
  const { batch } = api.links
  // The bodies of accounts have secrets, which are hidden only in their own requests.
  if (batch === undefined || !hasFeed(api) || isAccountClass(api, cls)) return []
  const target = write.method === 'POST' ? write.target : `${write.target}-`
  const failing = { method: write.method, target, ifMatch: '"none"', body: {} }
  const refused = { ...write, body: { ...write.body, [NO_PROPERTY]: true } }
  const body = { operation: [refused, failing] }
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const error: unknown = await api.client.request('POST', batch, { body, signal }).catch((reason) => reason)
  if (!(error instanceof ApiError) || error.operation !== 0) return []
  const violations = error.violations.map((one) => ({
    ...one,
    propertyPath: one.propertyPath.replace(/^operation\[0\]\/?/, ''),
  }))
  return placeViolations({ code: error.code, violations }, drafts, root).filter(
    ({ id }) => id !== undefined && !found.some((one) => isAbout(one.id, id) || isAbout(id, one.id)),
  )
}

/** Whether a field is the other one, or within it. A value that the form has refused is missing to the server. */
const isAbout = (id = '', other = ''): boolean => id === other || id.startsWith(`${other}-`)
