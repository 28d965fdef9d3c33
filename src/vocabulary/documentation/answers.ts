import { whoMay } from '../access/access.ts'
import { vocabIri } from '../contexts/contexts.ts'
import type { Class, CustomOperation, Model, Operation } from '../model.ts'

/** The statuses that operations name (hypermedia.md, Vocabulary). */
const STATUSES = {
  201: 'Created',
  204: 'Carried out, without a body',
  401: 'Not signed in: the response has a nonce',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Other members are in the way',
  412: 'Precondition failed',
  422: 'Invalid',
  429: 'Too many failed attempts to sign in',
  503: 'Busy: try again later',
} as const

type StatusCode = keyof typeof STATUSES

/** Below `status/`, since no class begins with a lower-case letter. */
const statusIri = (code: StatusCode, base: string): string => vocabIri(base, `status/${code}`)

/** The statuses, each described once: operations refer to them by IRI. */
export const describeStatuses = (base: string): object[] =>
  Object.entries(STATUSES).map(([code, title]) => ({
    '@id': statusIri(Number(code) as StatusCode, base),
    '@type': 'Status',
    statusCode: Number(code),
    title,
  }))

/** How requests are admitted. */
export interface AdmissionMode {
  /** Whether requests carry a token. */
  readonly session: boolean
  /** Whether every request is admitted. */
  readonly isOpen?: boolean | undefined
  /** Whether the feed is served; it is not for people who have not signed in. */
  readonly events?: boolean | undefined
}

/** The resource that an operation is on. */
export type DescribedTarget =
  | { readonly kind: 'server' }
  | { readonly kind: 'collection' | 'member'; readonly cls: Class }
  | { readonly kind: 'custom'; readonly operation: CustomOperation }

/** An operation, as far as its answers depend on it. */
interface AnsweredOperation {
  readonly method: string
  readonly expectsHeader?: object
}

interface Answers {
  readonly statuses: readonly StatusCode[]
  readonly expects: readonly string[]
  readonly returns: readonly string[]
}

export type WithAnswers = <T extends AnsweredOperation>(operation: T, target: DescribedTarget) => T

/**
 * Adds to an operation the statuses that it can answer, and the headers that matter. Only the documentation has them: in
 * a member its operations have the same IRIs.
 */
export function createWithAnswers(
  model: Model,
  base: string,
  { session, isOpen = false }: AdmissionMode,
): WithAnswers {
  const admission: readonly StatusCode[] = isOpen ? [503] : [401, 429, 503]
  return (operation, target) => {
    const { statuses, expects, returns } = answersTo(operation.method, target, model)
    const expected = [operation.expectsHeader ?? [], session ? 'X-Authorization' : [], expects].flat()
    const all = [...statuses, ...admission].toSorted((a, b) => a - b)
    return {
      ...operation,
      possibleStatus: all.map((code) => statusIri(code, base)),
      ...(expected.length > 0 && { expectsHeader: expected }),
      ...(returns.length > 0 && { returnsHeader: returns }),
    }
  }
}

function answersTo(method: string, target: DescribedTarget, model: Model): Answers {
  const isRead = method === 'GET'
  switch (target.kind) {
    case 'server':
      return { statuses: OF_SERVER[method] ?? [], expects: [], returns: isRead ? ['ETag'] : [] }
    case 'collection':
      if (isRead) return { statuses: [], expects: [], returns: ['ETag'] }
      return { statuses: [201, 412, 422], expects: [], returns: ['ETag', 'Location'] }
    case 'custom': {
      const { grantees, returns } = target.operation
      const statuses: readonly StatusCode[] = [204, ...(grantees.owner ? [403 as const] : []), 404, 412, 422]
      return { statuses, expects: ['If-Match'], returns: returns === undefined ? [] : ['ETag'] }
    }
    case 'member':
      if (isRead) return { statuses: [404], expects: [], returns: ['ETag'] }
      return answersToWrite(method, target.cls, model)
  }
}

/** DELETE ends a session; POST carries out a batch, and answers what its operations do. */
const OF_SERVER: Readonly<Record<string, readonly StatusCode[]>> = {
  DELETE: [204],
  POST: [403, 404, 409, 412, 422],
}

function answersToWrite(method: string, cls: Class, model: Model): Answers {
  const { operations } = cls
  const isPut = method === 'PUT' || method === 'POST'
  const carriedOut: readonly Operation[] = isPut
    ? ['create', 'replace']
    : [method === 'PATCH' ? 'update' : 'delete']
  const isRefusable = carriedOut.some(
    (name) => !operations.has(name) || whoMay(model.access, cls.name, name).owner,
  )
  const forbidden: readonly StatusCode[] = isRefusable ? [403] : []
  const expects = ['If-Match']
  if (method === 'DELETE') {
    const linked: readonly StatusCode[] = isLinked(cls, model) ? [409] : []
    return { statuses: [204, ...forbidden, 404, ...linked, 412], expects, returns: [] }
  }
  const isCreated = isPut && operations.has('create')
  return {
    // 204 for `Prefer: return=minimal`.
    statuses: [...(isCreated ? [201 as const] : []), 204, ...forbidden, 404, 412, 422],
    expects,
    returns: isCreated ? ['ETag', 'Location'] : ['ETag'],
  }
}

/** Whether members may link to those of the class. With access rules, classes that the user does not see may. */
const isLinked = ({ name }: Class, { classes, access }: Model): boolean =>
  access !== undefined || classes.some((cls) => hasLinkTo(cls, name))

const hasLinkTo = ({ properties }: Class, name: string): boolean =>
  properties.some(({ range }) =>
    range.kind === 'embedded'
      ? hasLinkTo(range.cls, name)
      : range.kind === 'link' && range.className === name,
  )
