import type { ProblemAnswers } from '../../http/index.ts'
import { amount } from '../../text.ts'
import {
  type Labels,
  linkingMembers,
  namedBy,
  type StillLinkedValues,
  stillLinkedSentence,
} from './still-linked.ts'

/** Why a precondition does not hold (RFC 9110 §13.2.2). */
export type FailedPrecondition = keyof typeof FAILED_PRECONDITIONS

const FAILED_PRECONDITIONS = {
  changed: 'The member has changed since it had the ETag in If-Match; read it again before you change it.',
  nothingThere: 'There is nothing at this address, but If-Match requires a member to be there.',
  added: 'This would add a new member, but If-Match requires one that exists; send it without If-Match.',
  alreadyThere:
    'There is something at this address already, but If-None-Match: * requires that there is nothing.',
  ruledOut: 'The member is in a state that If-None-Match rules out.',
}

/** Problems of reading and writing members: rights, preconditions, other members. */
export const WRITE_PROBLEMS = {
  InvalidId: {
    status: 400,
    sentence:
      'A new member cannot have this address: its last part must be 1 to 128 letters, digits, ".", "_", "~" and "-", and not "." or "..".',
    help: 'Choose another id, or let the server choose one with POST.',
  },
  Forbidden: {
    status: 403,
    sentence: ({ roles, owner, paths, isForNamed = false, operation, what }: ForbiddenValues) => {
      const people = paths.map((path) => `its ${path.replace('.', "'s ")}`)
      const named = isForNamed ? ['a user whom it names'] : []
      const allowed = [...roles.map(withArticle), ...(owner ? ['its owner'] : []), ...people, ...named]
      const last = allowed.pop()
      const act = `${operation === 'history' ? 'see the history of' : operation} ${what}`
      if (last === undefined) return `Nobody may ${act}.`
      return `Only ${allowed.length === 0 ? last : `${allowed.join(', ')} or ${last}`} may ${act}.`
    },
    help: 'Sign in as a user with one of the roles that the detail names.',
  },
  NotCreatable: {
    status: 403,
    sentence: ({ collection }: { collection: string }) =>
      `A member of ${collection} can be replaced but not created: the API file has no operation that creates one.`,
    help: 'Replace a member that is there.',
  },
  NotReplaceable: {
    status: 403,
    sentence: ({ name }: { name: string }) =>
      `${name} exists already, and the API file has no operation that replaces it.`,
    help: 'Leave it as it is: the API has no operation for this.',
  },
  MemberNotFound: {
    status: 404,
    sentence: ({ collection, id, mayCreate }: { collection: string; id: string; mayCreate?: boolean }) =>
      `The collection ${collection} has no member ${JSON.stringify(id)}${mayCreate ? '; to create it, send If-None-Match: *' : ''}.`,
    help: 'Follow the links of the collection: the member does not exist, or not for this user.',
  },
  ResourceNotFound: {
    status: 404,
    sentence: ({ name, mayPut }: { name: string; mayPut?: boolean }) =>
      `There is no ${name} yet${mayPut ? '; PUT creates it' : ''}.`,
    help: 'Create it first, where the documentation has an operation for that.',
  },
  StillLinked: {
    status: 409,
    sentence: (values: StillLinkedValues) => stillLinkedSentence(values),
    extension: linkingMembers,
    help: 'Delete the members that link to it first, or take their links out.',
  },
  RemovalForbidden: {
    status: 409,
    sentence: ({ deleted, changed, labels }: ForbiddenRemoval) => {
      const named = namedBy(labels)
      const parts = [
        deleted.length > 0 ? `delete ${firstOf(deleted.map(named))}, which you may not delete` : '',
        changed.length > 0
          ? `take a link out of ${firstOf(changed.map(named))}, which you may not update`
          : '',
      ]
      return `The removal would also ${parts.filter(Boolean).join(', and ')}.`
    },
    help: 'Ask a user who may delete and update the members that the detail names.',
  },
  RemovalTooLarge: {
    status: 409,
    sentence: ({ count, isExact, max }: { count: number; isExact: boolean; max: number }) =>
      `The removal would also delete or change ${isExact ? '' : 'more than '}${amount(count)} other members, and at most ${amount(max)} are allowed at once.`,
    help: 'Delete some of the other members first, or take their links out.',
  },
  RemovalTooLong: {
    status: 409,
    sentence:
      'The other members that the removal would change are too large in total; take the links out of some of them first.',
    help: 'Take the links out of some of the other members first.',
  },
  PreconditionFailed: {
    status: 412,
    sentence: ({ reason }: { reason: FailedPrecondition }) => FAILED_PRECONDITIONS[reason],
    help: 'Read the member again, and repeat the change on its current state.',
  },
  PreconditionRequired: {
    status: 428,
    sentence: 'This server accepts changes only with an If-Match header; send the ETag that you read.',
    help: 'Send the ETag that you read in If-Match.',
  },
  ConcurrentChanges: {
    status: 503,
    sentence: ({ members }: { members: 'member' | 'members'; retryAfterSeconds: number }) =>
      `Other requests are changing the same ${members}; try again shortly.`,
    help: 'Send the request again after the time in Retry-After.',
  },
} as const satisfies ProblemAnswers

/** A removal that would delete or change members which the user may not delete or update: their addresses. */
export interface ForbiddenRemoval {
  readonly deleted: readonly string[]
  readonly changed: readonly string[]
  readonly labels?: Labels | undefined
}

export interface ForbiddenValues {
  /** The roles that have the right. */
  readonly roles: readonly string[]
  /** Whether the owner of a member has it, too. */
  readonly owner: boolean
  /** The paths to the accounts of users who have it, too. */
  readonly paths: readonly string[]
  /** Whether there are more paths, along properties that are hidden from this user. */
  readonly isForNamed?: boolean
  readonly operation: string
  /** A collection, a title, or `this member`. */
  readonly what: string
}

/** How many members are named. */
const MAX_NAMED = 10

const firstOf = (addresses: readonly string[]): string => {
  const rest = addresses.length - MAX_NAMED
  return addresses.slice(0, MAX_NAMED).join(', ') + (rest > 0 ? ` and ${amount(rest)} more` : '')
}

const withArticle = (role: string): string => `${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role}`
