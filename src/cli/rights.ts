// The rights that the rules of an API file give, for `check --as`.
import { nameKey, type User } from '../auth/index.ts'
import { COMMAND_SETTINGS, WITHOUT_ROLES } from '../config/index.ts'
import { databaseExists } from '../store/open.ts'
import {
  type Class,
  type Grantees,
  isTied,
  type Model,
  type Property,
  type Right,
  RULED_OPERATIONS,
  type RuledOperation,
  rightsOf,
  rightTo,
  storedClasses,
} from '../vocabulary/index.ts'
import { missingAt, noUser, withStore } from './database.ts'
import { roleList, table } from './formats.ts'
import type { Invocation } from './invocation.ts'
import { commandProblem } from './problems.ts'

/** Whose rights are asked for: anyone who has not signed in, users with some roles, or one user. */
interface Asker {
  /** Undefined for people who have not signed in. */
  readonly roles: readonly string[] | undefined
  readonly user?: User
}

const ANYONE = 'anyone'

/** The roles that `--as` names; undefined without it. */
export function rolesAsked({ setting }: Invocation, { access }: Model): readonly string[] | undefined {
  const asked = setting(COMMAND_SETTINGS.asRoles)
  if (asked === undefined) return undefined
  const known = [...(access?.roles ?? []), WITHOUT_ROLES]
  const unknown = asked.find((name) => !known.includes(name))
  if (unknown === undefined) return asked.filter((name) => name !== WITHOUT_ROLES)
  throw commandProblem('UnknownRoleOfApi', { name: unknown, known }, { at: { source: '--as' } })
}

/** The asker that `--as` names; undefined without it. Roles come before users of the same name. */
export async function findAsker(call: Invocation, { access }: Model): Promise<Asker | undefined> {
  const asked = call.setting(COMMAND_SETTINGS.as)
  if (asked === undefined) return undefined
  if (asked === ANYONE) return { roles: undefined }
  const words = [...new Set(asked.split(',').map((word) => word.trim()))]
  const known = [...(access?.roles ?? []), WITHOUT_ROLES]
  const unknown = words.find((word) => !known.includes(word))
  if (unknown === undefined) return { roles: words.filter((word) => word !== WITHOUT_ROLES) }
  const user = await findUser(call, asked)
  if (user !== undefined) return { roles: user.roles, user }
  const place = { at: { source: '--as' } }
  throw commandProblem('UnknownAsker', { name: unknown, known: [...known, ANYONE] }, place)
}

/** The user of the database with this id or name. */
async function findUser(call: Invocation, asked: string): Promise<User | undefined> {
  const db = call.database()
  const isId = /^[1-9]\d{0,15}$/.test(asked)
  if (!(await databaseExists(db))) {
    if (isId) throw commandProblem('NoDatabaseToCompare', { missing: missingAt(db) })
    return undefined
  }
  const user = await withStore(db, async (store) =>
    isId ? store.findUser(Number(asked)) : store.findUserByName(nameKey(asked)),
  )
  if (user === undefined && isId) throw noUser(Number(asked), db)
  return user
}

/** A right as programs read it: a list if paths to accounts decide. */
type ListedRight = 'any' | 'none' | 'own' | readonly string[]

const listedRight = (right: Right): ListedRight => {
  if (!isTied(right)) return right
  if (right.paths.length === 0) return 'own'
  return [...(right.owner ? ['own'] : []), ...right.paths]
}

/** The properties that have rules of their own, and what the rules let this asker do. */
type PropertyRights = Readonly<Record<string, { readonly view: ListedRight; readonly write: ListedRight }>>

interface ClassRights {
  readonly class: string
  /** Null if the class does not have the operation. */
  readonly operations: Readonly<Record<string, ListedRight | null>>
  readonly properties: PropertyRights
}

/** The rights to every class that the file describes, and to accounts if it says something about them. */
export function listRights(served: Model, file: Model, { roles }: Asker): readonly ClassRights[] {
  const isShown = ({ isBuiltIn, name }: Class) =>
    isBuiltIn === undefined || file.accounts !== undefined || file.classes.some((one) => one.name === name)
  return storedClasses(served)
    .filter(isShown)
    .map((cls) => {
      const rights = rightsOf(served.access, cls.name, roles)
      const listed = shownOperations(served).map((one) => [
        one,
        has(cls, one) ? listedRight(rights[one]) : null,
      ])
      const ruled = cls.isBuiltIn ? [] : cls.properties.filter(({ view, write }) => view ?? write)
      return {
        class: cls.name,
        operations: Object.fromEntries(listed),
        properties: Object.fromEntries(
          ruled.map((property) => [property.name, propertyRights(property, roles)]),
        ),
      }
    })
}

const has = ({ operations, history }: Class, operation: RuledOperation): boolean =>
  operation === 'history' ? history !== undefined : operations.has(operation)

/** The history of members is shown only if some class keeps one. */
const shownOperations = ({ classes }: Model): readonly RuledOperation[] =>
  RULED_OPERATIONS.filter((one) => one !== 'history' || classes.some((cls) => has(cls, one)))

/** Without a rule for writing, users who may view a property may write it: for others it does not exist. */
function propertyRights({ view, write = view, writable }: Property, roles: Asker['roles']) {
  const listed = (rule: Grantees | undefined) =>
    rule === undefined ? 'any' : listedRight(rightTo(rule, roles))
  return { view: listed(view), write: writable && roles !== undefined ? listed(write) : 'none' }
}

/** The rights as JSON. */
export const rightsAsJson = ({ roles, user }: Asker, rights: readonly ClassRights[]): object => ({
  ...(user && { user: { id: user.id, name: user.name ?? null } }),
  ...(roles === undefined ? { anyone: true } : { roles }),
  classes: rights.map(({ class: name, operations, properties }) => ({
    class: name,
    ...operations,
    ...(Object.keys(properties).length > 0 && { properties }),
  })),
})

const IN_WORDS: Readonly<Record<string, string>> = { any: 'yes', own: 'own', none: 'no' }

const inWords = (right: ListedRight | null | undefined): string => {
  if (right === null || right === undefined) return '-'
  return typeof right === 'string' ? (IN_WORDS[right] ?? right) : right.join(', ')
}

/** The rights as a table. */
export function describeRights(asker: Asker, rights: readonly ClassRights[]): string[] {
  const { roles } = asker
  const shown = Object.keys(rights[0]?.operations ?? {})
  const rows = rights.map(({ class: name, operations }) => [
    name,
    ...shown.map((operation) => inWords(operations[operation])),
  ])
  const legend = [
    ...(roles === undefined ? [] : ['own: what this user has created']),
    ...(rights.some(({ operations }) => Object.values(operations).some(Array.isArray))
      ? ['a path: members from which it leads to this user']
      : []),
    '-: there is no such operation',
  ]
  const properties = rights.flatMap(({ class: name, properties: ruled }) =>
    Object.entries(ruled).map(([property, { view, write }]) => [
      ...[`${name}.${property}`, inWords(view), inWords(write)],
    ]),
  )
  return [
    `${nameOf(asker)} may (${legend.join('; ')}):`,
    ...indented(table(['class', ...shown], rows)),
    ...(properties.length === 0
      ? []
      : ['Of these properties:', ...indented(table(['property', 'view', 'write'], properties))]),
  ]
}

const indented = (text: string): string[] => text.split('\n').map((line) => `  ${line}`)

function nameOf({ roles, user }: Asker): string {
  if (roles === undefined) return 'Anyone, without signing in,'
  const having = roles.length === 0 ? 'without roles' : `with the ${roleList(roles)}`
  if (user === undefined) return `A user ${having}`
  return `User ${user.id}${user.name === undefined ? '' : ` (${user.name})`}, ${having},`
}
