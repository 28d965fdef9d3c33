import { HttpError } from '../errors.ts'
import { addressOf } from '../members/shapes.ts'
import type { Linker } from '../store/store.ts'
import type { Class, Model } from '../vocabulary/model.ts'

/** 409 for a member that others link to; also through what the API file does not show, which must lead somewhere again. */
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
  return new HttpError(
    409,
    [
      ...(shown.length === 0 ? [] : [`Other members link to this one and ${LEFT}: ${shown.join(', ')}.`]),
      ...(hidden.length === 0 ? [] : [`${HIDDEN} and ${LEFT}: ${hidden.join(', ')}. ${WAY_OUT}`]),
    ].join(' '),
  )
}

const LEFT = 'would be left with a link to nothing'
const HIDDEN = 'Members hold this one through a property or a class that the API file does not show now'
const WAY_OUT = 'Delete them, or take the link out of them, under an API file that shows it.'

/** Whether a property of this path within embedded values is there, and is a link. */
function isLink(cls: Class, path: string): boolean {
  const [name, ...within] = path.split('/')
  const range = cls.properties.find((property) => property.name === name)?.range
  if (range?.kind === 'embedded') return isLink(range.cls, within.join('/'))
  return range?.kind === 'link' && within.length === 0
}
