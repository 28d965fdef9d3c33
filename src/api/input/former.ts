import type { JsonObject } from '../../json.ts'
import { type MemberValues, readText, type WholeText } from '../../members/index.ts'

/** A deleted member that is created again, of which only the read-only values come back that the body repeats. */
export interface RepeatedMember {
  /** The state whose representation the body may be. */
  readonly then: WholeText
  readonly last: WholeText
  /** The properties that the user could not see, whose values no body can repeat. */
  readonly unseen: ReadonlySet<string>
}

/** The values of an earlier state. What only other users may write (`readOnly`) stays as it was last. */
export function valuesThen(
  { body }: WholeText,
  last: MemberValues,
  readOnly: Iterable<string> = [],
): MemberValues {
  const values: Record<string, unknown> = { ...readText(body) }
  for (const name of readOnly) {
    delete values[name]
    if (Object.hasOwn(last, name)) values[name] = last[name]
  }
  return values
}

/** The values that the body may repeat; without the others, it is that of a new member. */
export function repeatedIn(
  sent: JsonObject,
  { then, last, unseen }: RepeatedMember,
  readOnly?: Iterable<string>,
): MemberValues {
  const values = Object.entries(valuesThen(then, readText(last.body), readOnly))
  return Object.fromEntries(values.filter(([name]) => Object.hasOwn(sent, name) && !unseen.has(name)))
}
