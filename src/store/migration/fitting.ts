import type { Violation } from '../../errors.ts'
import type { Adopted, ClassShape, Link, Misfit, Written } from '../store.ts'

/** A member as it is stored. */
export type MemberRow = [
  sequence: number,
  id: string,
  version: number,
  body: string,
  holes: string,
  hidden: string,
]

/** `links`: as ClassShape has them. */
export const adoptRow = (
  [, , , body, holes, hidden]: MemberRow,
  shape: ClassShape,
  links: () => readonly Link[],
): ReturnType<ClassShape['adopt']> => shape.adopt({ body, holes, hidden }, links)

/**
 * What a member is under the API file, or that it does not fit. `adopted`: what `adoptRow` has made of the row. A store
 * across a network looks for all targets in between.
 */
export function settle(
  [, id]: MemberRow,
  shape: ClassShape,
  adopted: ReturnType<ClassShape['adopt']>,
  hasTarget: (link: Link) => boolean,
): Adopted | Misfit {
  const violations = 'violations' in adopted ? adopted.violations : danglingIn(adopted, hasTarget)
  return 'violations' in adopted || violations.length > 0
    ? { className: shape.name, id, address: shape.addressOf(id), violations }
    : adopted
}

export const isMisfit = (judged: Adopted | Misfit): judged is Misfit => 'violations' in judged

const danglingIn = ({ links }: Written, hasTarget: (link: Link) => boolean): Violation[] =>
  links
    .filter((link) => !hasTarget(link))
    .map(({ property, className, id }) => ({
      propertyPath: property,
      message: `links to ${JSON.stringify(id)}, which is no ${className}.`,
    }))

/** So much of a value is shown. */
const SHOWN = 100

/** A member that has a value of a unique property which an earlier one, `firstId`, has. */
export function duplicate(
  shape: ClassShape,
  property: string,
  firstId: string,
  { id, body }: { readonly id: string; readonly body: string },
): Misfit {
  const message = `must be unique, and ${shape.addressOf(firstId)} has ${shown(body, property) ?? 'this value'} too.`
  const violations = [{ propertyPath: property, message }]
  return { className: shape.name, id, address: shape.addressOf(id), violations }
}

/** The value as it was written: a key is for machines. Undefined where it is known by another name still. */
function shown(body: string, property: string): string | undefined {
  const values = JSON.parse(`{${body.slice(1)}}`) as Record<string, unknown>
  if (!Object.hasOwn(values, property)) return undefined
  const text = JSON.stringify(values[property])
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}
