import { HttpError, invalid } from '../errors.ts'
import type { Request, Response } from '../http/index.ts'
import { addressOf } from '../members/index.ts'
import type { Awaitable, Linker, MemberStore, Refused, StoredMember } from '../store/index.ts'
import type { Class, Model } from '../vocabulary/index.ts'
import type { Input } from './input/input.ts'
import type { MemberRepresentation } from './output/member.ts'
import { applied, mediaTypeFor, type Respond, readPreferences } from './respond.ts'

/** What the resources of a class are made of. */
export interface MemberParts {
  readonly model: Model
  readonly cls: Class
  readonly base: string
  readonly store: MemberStore
  readonly input: Input
  readonly representation: MemberRepresentation
  readonly respond: Respond
  readonly now: () => number
  readonly requireIfMatch: boolean
}

/** How a write will be answered, decided before anything is written: 406 when nothing acceptable could be sent. */
export function prepareResponses(request: Request, { representation, respond }: MemberParts) {
  const mediaType = mediaTypeFor(request)
  const { minimal } = readPreferences(request)

  function send(status: number, member: StoredMember, headers: readonly string[]): Awaitable<Response> {
    const etag = representation.etag(member, mediaType)
    if (!minimal)
      return respond.send(status, { mediaType, etag, body: () => representation.whole(member) }, headers)
    const empty = respond.noContent(['ETag', etag, ...headers, ...applied('return=minimal')])
    return status === 201 ? { ...empty, status, body: '' } : empty
  }

  return {
    created: (member: StoredMember) => send(201, member, ['Location', representation.address(member.id)]),
    changed: (member: StoredMember) => send(200, member, []),
  }
}

/** 422 for what only the store can see is wrong. */
export const refusal = ({ dangling, taken }: Refused): HttpError =>
  invalid([
    ...dangling.map(({ property, id }) => ({
      propertyPath: property,
      message: `links to ${JSON.stringify(id)}, which does not exist.`,
    })),
    ...taken.map((propertyPath) => ({
      propertyPath,
      message: 'must be unique, and another member has this value.',
    })),
  ])

/** 409 for a member that others link to; also by links that the API file does not show now: it may show them again. */
export function stillLinked(from: readonly Linker[], model: Model, base: string): HttpError {
  const classes = new Map(model.classes.map((cls) => [cls.name, cls]))
  const shown: string[] = []
  const hidden: string[] = []
  for (const { className, id, properties } of from) {
    const cls = classes.get(className)
    if (cls === undefined) hidden.push(`${className} ${id}`)
    else if (properties.some((path) => isLink(cls, path))) shown.push(addressOf(cls, base)(id))
    else hidden.push(`${addressOf(cls, base)(id)} (${properties.join(', ')})`)
  }
  const sentences = [
    ...(shown.length === 0 ? [] : [`Other members link to this one and ${LEFT}: ${shown.join(', ')}.`]),
    ...(hidden.length === 0 ? [] : [`${HIDDEN} and ${LEFT}: ${hidden.join(', ')}. ${WAY_OUT}`]),
  ]
  return new HttpError(409, sentences.join(' '))
}

const LEFT = 'would be left with a link to nothing'
const HIDDEN = 'Members hold this one through a property or a class that the API file does not show now'
const WAY_OUT = 'Delete them, or take the link out of them, under an API file that shows it.'

/** Whether the API file shows a link at this path of properties. */
function isLink(cls: Class, path: string): boolean {
  const [name, ...within] = path.split('/')
  const range = cls.properties.find((property) => property.name === name)?.range
  if (range?.kind === 'embedded') return isLink(range.cls, within.join('/'))
  return range?.kind === 'link' && within.length === 0
}
