import { HttpError, invalid } from '../errors.ts'
import { addressOf } from '../members/index.ts'
import type { Linker, Refused } from '../store/index.ts'
import type { Class, Model } from '../vocabulary/index.ts'

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
  const shown: string[] = []
  const hidden: string[] = []
  for (const { className, id, properties } of from.slice(0, MOST_NAMED)) {
    const cls = model.classes.find(({ name }) => name === className)
    if (cls === undefined) hidden.push(`${className} ${id}`)
    else if (properties.some((path) => isLink(cls, path))) shown.push(addressOf(cls, base)(id))
    else hidden.push(`${addressOf(cls, base)(id)} (${properties.join(', ')})`)
  }
  const sentences: string[] = []
  if (shown.length > 0) sentences.push(`Other members link to this one and ${LEFT}: ${shown.join(', ')}.`)
  if (hidden.length > 0) sentences.push(`${HIDDEN} and ${LEFT}: ${hidden.join(', ')}. ${WAY_OUT}`)
  return new HttpError(409, sentences.join(' '))
}

/** So many linking members are named. */
const MOST_NAMED = 10
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
