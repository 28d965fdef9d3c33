import type { AnswersTo } from '../../http/index.ts'
import type { StoreViolations } from '../../members/member.ts'
import { type ProblemData, type Sentences, say } from '../../problem.ts'
import { amount, inSentence, suggestion } from '../../text.ts'
import type { LinkedDataProblems, ValueProblems } from '../../vocabulary/index.ts'
import type { BodyProblems, InputProblems } from '../input/problems.ts'
import { VALUE_SENTENCES } from './value-sentences.ts'

/** Problems of the values of a member. */
export const VALUE_PROBLEMS = {
  ValidationFailed: {
    status: 422,
    sentence: 'The values are not those of a member.',
    help: 'Correct each property that "violations" names, as its message says.',
  },
  NotOneNode: {
    status: 422,
    sentence: ({ count }) => `The body must be one node of linked data, the member itself, not ${count}.`,
    help: 'Send one node: the member itself.',
  },
  StrayValue: {
    status: 422,
    sentence: 'The body has a value that belongs to no property; every value needs one.',
    help: 'Give every value a property.',
  },
  ForeignContext: {
    status: 422,
    sentence: ({ address }) =>
      `The context ${JSON.stringify(address)} is not known here, and no context is ever fetched; write its terms out in "@context".`,
    help: 'Write the terms of the context out: no context is ever fetched.',
  },
  InvalidJsonLd: {
    status: 422,
    sentence: ({ reason }) => `This is not JSON-LD: ${reason}`,
    help: 'Send JSON-LD 1.1, or JSON in the terms of this API.',
  },
  UnprocessableJsonLd: {
    status: 422,
    sentence: 'The body is JSON-LD that cannot be processed; send it in the terms of this API.',
    help: 'Send JSON in the terms of this API.',
  },
  TooMuchJsonLd: {
    status: 422,
    sentence:
      'The body is too much JSON-LD to be processed at once; send it in the terms of this API, or with a smaller "@context".',
    help: 'Send JSON in the terms of this API, or JSON-LD with a smaller "@context".',
  },
  JsonLdProcessorBusy: {
    status: 503,
    sentence:
      'Too many bodies wait for the JSON-LD processor just now; try again shortly, or send this in the terms of this API.',
    help: 'Send the request again after the time in Retry-After, or JSON in the terms of this API.',
  },
} as const satisfies AnswersTo<BodyProblems & LinkedDataProblems>

/** Problems at a property: the end of a sentence that begins with the property. */
export const VIOLATIONS: Sentences<
  ValueProblems & InputProblems & StoreViolations & { Rejected: { readonly sentence: string } }
> = {
  ...VALUE_SENTENCES,
  UnknownProperty: ({ className, name, known }) =>
    known === undefined
      ? `is not a property of ${className}.`
      : `is not a property of ${className}; ${suggestion(name, known, '.')}`,
  ReadOnly: ({ isNew }) =>
    isNew ? 'is read-only; leave it out.' : 'is read-only; send the value that is served, or leave it out.',
  IncludedCollection:
    'is a collection that was read with include; send its address and nothing but that, or leave it out. Its members are written at their own addresses.',
  OneValueOnly: ({ count }) => `takes one value, not ${count}.`,
  NoOrder: 'has no order; send its values without "@list".',
  NotEmbedded: ({ className }) => `must be an object with the properties of ${className}.`,
  UnexpectedKeyword: ({ keyword }) => `takes a value without a ${keyword}; leave "@${keyword}" out.`,
  WrongValueType: ({ datatype }) => `must be of type ${datatype}, or say no "@type".`,
  WrongContext: ({ className, address }) =>
    `must be the context of ${className}, or its address ${address}, or be left out.`,
  WrongType: ({ className }) => `must be ${JSON.stringify(className)} here, or be left out.`,
  EmbeddedId: 'cannot be here, since an embedded value has no address of its own; leave it out.',
  IdOfNewMember: ({ canPut }) =>
    `is chosen by the server for a new member; leave it out${canPut ? ', or PUT to that address with If-None-Match: *' : ''}.`,
  WrongId: ({ address }) => `must be ${address} here, or be left out.`,
  IdIsNoProperty: ({ className, template }) =>
    `is not a property of ${className}; ` +
    (template === undefined ? 'leave it out.' : `to choose an id, PUT to ${template} with If-None-Match: *.`),
  UnknownKeyword: 'is not understood here; leave it out.',
  UnknownReference: ({ name }) =>
    `no earlier operation of this batch creates a member called ${JSON.stringify(name)}.`,
  InvalidLink: ({ collection, meant, byId, templates, hasMore }) => {
    const right = `must be the address of a member of ${collection}`
    if (meant !== undefined) return `${right}; did you mean "${meant}"?`
    if (byId !== undefined)
      return `${right}, such as ${templates.join(' or ')}; if "${byId.id}" is its id, send "${byId.address}".`
    const more = ', and nothing but that: a member that was read with include is written at its own address'
    return `${right}, such as ${templates.join(' or ')}${hasMore ? more : ''}.`
  },
  GraphNotTaken: 'is not understood here; send the member alone.',
  KeyNotTaken: 'cannot be sent in this form.',
  NoMeaning: ({ name, known, context }) =>
    'has no meaning under the @context that was sent; ' +
    (context === undefined ? suggestion(name, known, '.') : `add ${context} to that.`),
  TooManyWords: ({ maxWords, count }) =>
    `The texts of a member may have at most ${amount(maxWords)} different words, and these have ${amount(count)}; ` +
    'words of properties with `filterable: false` in the API file do not count.',
  MoreViolations: 'There are further violations.',
  DanglingLink: ({ id }) => `links to ${JSON.stringify(id)}, which does not exist.`,
  NotUnique: 'must be unique, and another member has this value.',
  NotUniqueTogether: ({ properties: [, ...others] }) =>
    `must be unique together with ${inSentence(others)}, and another member has the same values.`,
  Rejected: ({ sentence }) => sentence,
}

export const isViolation = (code: string): boolean => Object.hasOwn(VIOLATIONS, code)

/** The sentence without the property at its beginning. */
export function violationSentence(violation: ProblemData): string {
  const { code } = violation
  if (!isViolation(code)) throw new Error(`There is no sentence for the violation ${code}.`)
  return say(VIOLATIONS[code as keyof typeof VIOLATIONS] as never, violation)
}
