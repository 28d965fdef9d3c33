import { hash } from 'node:crypto'
import type { AccessRules, Class, Grantees, Model, Property } from '../vocabulary/index.ts'
import type { ClassAspects, ClassSchema } from './class-schema.ts'

// What an API file says about a class beyond the way in which its members are stored: `hydrant check` names what has changed.

export function describedOf(cls: Class, { access }: Pick<Model, 'access'>): ClassAspects {
  const { title, description, plural, label, iri, collection, operations, methods, history } = cls
  return {
    '': present({
      texts: digest([title, description, plural, label, iri]),
      operations: digest([collection, [...operations].sort(), methods]),
      access: access && rulesOf(access, cls.name),
      history: history && String(history.ageMs ?? 'all'),
    }),
    ...describedProperties(cls, ''),
  }
}

/** Undefined where the API file has no rules for the class. */
function rulesOf({ file, classes }: AccessRules, className: string): string | undefined {
  const rules = [file, classes.get(className)].map((of) =>
    [...(of ?? [])].map(([name, who]) => [name, grantees(who)]),
  )
  return rules.flat().length === 0 ? undefined : digest(rules)
}

const grantees = (who: Grantees | undefined): unknown =>
  who && [who.anyone, who.everyone, who.owner, [...who.roles].sort(), [...who.paths].sort()]

/** Properties within embedded values are named by their class: `Address.city`. */
function describedProperties(cls: Class, prefix: string): ClassAspects {
  return Object.fromEntries(
    cls.properties.flatMap((property): [string, ClassAspects[string]][] => [
      [prefix + property.name, describedProperty(property)],
      ...(property.range.kind === 'embedded'
        ? Object.entries(describedProperties(property.range.cls, `${property.range.cls.name}.`))
        : []),
    ]),
  )
}

function describedProperty(property: Property): ClassAspects[string] {
  const { title, description, example, unit, multiline, iri } = property
  const { constraints, writable, onDelete, always, required, view, write, reverse } = property
  const isConstrained = Object.keys(constraints).length > 0 || !writable || onDelete !== 'refuse'
  return present({
    texts: digest([title, description, example, unit, multiline, iri]),
    constraints:
      isConstrained || always !== undefined ? digest([constraints, writable, onDelete, always]) : undefined,
    required: required ? 'yes' : undefined,
    access: view === undefined && write === undefined ? undefined : digest([grantees(view), grantees(write)]),
    reverse,
    default: property.default && digest(property.default),
  })
}

const digest = (value: unknown): string => hash('sha256', JSON.stringify(value), 'hex').slice(0, 8)

const present = (aspects: Readonly<Record<string, string | undefined>>): ClassAspects[string] =>
  Object.fromEntries(Object.entries(aspects).filter(([, value]) => value !== undefined))

/** The classes of an API file, as they are described. Those that are built in are not part of it. */
export type DescribedFile = Readonly<Record<string, ClassAspects>>

/** The setting with the API file that the database was last opened with. */
export const FILE_SETTING = 'api file'

export const fileText = (shapes: readonly ClassSchema[]): string =>
  JSON.stringify(
    Object.fromEntries(
      shapes.flatMap(({ name, isLogged, described = {} }) => (isLogged ? [[name, described]] : [])),
    ),
  )
