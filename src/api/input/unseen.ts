import { type MemberValues, ownOf } from '../../members/index.ts'
import { type Class, defaultValueOf } from '../../vocabulary/index.ts'
import type { SentValues, Submission, UserView } from './properties.ts'
import { withAlways } from './validate.ts'

/** What a user who writes members of a class may see and write of them. By the names of properties. */
export interface WriterView extends UserView {
  /** The class as its members are stored. */
  readonly stored: Class
  readonly unknown: ReadonlySet<string>
}

/** The class as the bodies of this user have it. `cls`: as users with the same roles see it. */
export function writtenClass(cls: Class, { stored, unknown, readOnly }: WriterView): Class {
  const properties = stored.properties
    .filter(({ name }) => !unknown.has(name))
    .map((property) => (readOnly.has(property.name) ? { ...property, writable: false } : property))
  return { ...cls, properties }
}

/**
 * Adds what the user cannot see, in place: it stays as it is stored (people.md, Properties for some); in a new member it has
 * its default. `sent`: the body, which may have values that nobody can see.
 */
export function createAddUnseen({ stored, hidden }: WriterView) {
  const unseen = { ...stored, properties: stored.properties.filter(({ name }) => hidden.has(name)) }
  return (
    values: SentValues,
    former: MemberValues | undefined,
    submission: Submission & { readonly sent: object },
  ): void => {
    const kept = withAlways(unseen, former ?? {}, submission)
    for (const property of unseen.properties) {
      const { name, always } = property
      if (Object.hasOwn(submission.sent, name)) continue
      const filled =
        former === undefined && always === undefined ? defaultValueOf(property, submission) : undefined
      const value = filled ?? ownOf(kept, name)
      if (value !== undefined) values[name] = value
    }
  }
}
