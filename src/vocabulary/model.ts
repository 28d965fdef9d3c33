/** The vocabulary that an API file describes, complete and checked: everything served is derived from it. */
export interface Model {
  readonly title: string
  readonly description: string
  /** All classes in the order of the API file, including those of embedded values. */
  readonly classes: readonly Class[]
  /** Undefined if every user may do everything. */
  readonly access?: AccessRules | undefined
  /** Who manages the accounts of users, as it is declared; undefined where only the command line does. */
  readonly accounts?: AccountRules | undefined
}

/** people.md, Accounts. `view`: who sees the accounts of others. `rename`: who may change their own name. */
export type AccountRules = Readonly<Record<'manage' | 'view' | 'rename', Grantees>>

/** Who may do what, as it is declared (access.md). */
export interface AccessRules {
  readonly roles: readonly string[]
  /** For every class that does not say otherwise. */
  readonly file: Rules
  readonly classes: ReadonlyMap<string, Rules>
  /** Present where the API file has no rules: these are about accounts alone. */
  readonly isBuiltIn?: true
}

export type Rules = ReadonlyMap<RuleName, Grantees>

/** Who may carry out an operation, or see a property: nobody if all are empty. */
export interface Grantees {
  /** Also people who have not signed in (people.md, Anyone); every user is then among them. */
  readonly anyone: boolean
  readonly everyone: boolean
  /** The user who created the member. */
  readonly owner: boolean
  readonly roles: readonly string[]
  /** The users to whose accounts links of the member lead (people.md): `assignee`, `project.members`. */
  readonly paths: readonly string[]
}

export const OPERATIONS = ['list', 'create', 'read', 'update', 'replace', 'delete'] as const

export type Operation = (typeof OPERATIONS)[number]

/** The operations that access rules are about: those on members, and reading their history (history.md). */
export const RULED_OPERATIONS = [...OPERATIONS, 'history'] as const

export type RuledOperation = (typeof RULED_OPERATIONS)[number]

export const RULE_NAMES = [...RULED_OPERATIONS, 'view', 'write', 'all'] as const

export type RuleName = (typeof RULE_NAMES)[number]

// biome-ignore format: a line a family
export const DATATYPE_NAMES = [
  'string', 'boolean',
  'integer', 'nonNegativeInteger', 'positiveInteger', 'decimal', 'double', 'float',
  'date', 'dateTime', 'time', 'duration',
  'anyURI', 'langString',
] as const

export type DatatypeName = (typeof DATATYPE_NAMES)[number]

export interface Class {
  readonly name: string
  /** A term of a public vocabulary; without one the class is `{base}/vocab#{name}`. */
  readonly iri: string | undefined
  readonly title: string
  readonly description: string
  /** The path segment of its collection; undefined for an embedded value and for a single resource. */
  readonly collection: string | undefined
  readonly properties: readonly Property[]
  /** The filterable properties within its embedded values, as properties of the class itself: `address.city`. */
  readonly within: readonly Property[]
  /** Empty for a class that is only embedded. */
  readonly operations: ReadonlySet<Operation>
  /** Absent if the program has none for this class. */
  readonly customOperations?: readonly CustomOperation[]
  /** The methods that create and replace: documents from elsewhere may use PUT to create and POST to replace. */
  readonly methods: WriteMethods
  /** 48 bits of a digest over everything that determines the stored form of a member: its text, its links and its keys. */
  readonly fingerprint: number
  /** Its name in stored members, if the API file has renamed it (`was`). */
  readonly formerName: string | undefined
  /** What people call its members: "time entries" (model.md). */
  readonly plural: string
  /** The properties whose values name a member to people (asking.md, Labels); empty where nothing could. */
  readonly label: readonly string[]
  /** The properties that lead from a member to the members that link to it (asking.md, Links from the other side). */
  readonly reverseLinks: readonly ReverseLink[]
  /** Lists of properties: no two members have the same values of all of them (model.md). */
  readonly uniqueTogether: readonly (readonly string[])[]
  /** Absent where members have no history. */
  readonly history?: HistoryRule
  /** Whether rights to a member depend on its owner (access.md, On the wire). */
  readonly isOwned?: boolean
  /** Present for a class that is not of the API file: `Account`. */
  readonly isBuiltIn?: true
  /** In a permitted model: the users see one member at most, so that the entry point does not link to the collection. */
  readonly isApart?: true
}

/** A property that is not stored: the address of the members of another class, or of the same, that link to a member. */
export interface ReverseLink {
  readonly name: string
  /** The class that links, and its collection. */
  readonly className: string
  readonly collection: string
  /** The link of that class. */
  readonly property: string
}

/** A custom operation (library.md): a POST below the member, carried out by a program's code. */
export interface CustomOperation {
  readonly name: string
  readonly title: string
  /** Names of classes. */
  readonly expects: string | undefined
  readonly returns: string | undefined
  readonly grantees: Grantees
  /** In a permitted model: the users may not carry it out, and see only its term. */
  readonly isRefused?: true
}

/** How long the history of members is kept (history.md). */
export interface HistoryRule {
  /** Entries that are older are removed; undefined if all are kept. */
  readonly ageMs: number | undefined
}

export type WriteMethod = 'POST' | 'PUT'

/** `create`: on the collection, or on a single resource itself; `replace`: on the member. */
export type WriteMethods = Readonly<Record<'create' | 'replace', readonly WriteMethod[]>>

export const USUAL_METHODS: WriteMethods = { create: ['POST'], replace: ['PUT'] }

/** A single resource has no collection to POST to; its address is known, so PUT creates it. */
export const SINGLE_METHODS: WriteMethods = { create: ['PUT'], replace: ['PUT'] }

/** A class whose members live in a collection at `{base}/{collection}`. */
export type CollectionClass = Class & { readonly collection: string }

export const hasCollection = (cls: Class): cls is CollectionClass => cls.collection !== undefined

/** A class with a single resource, at `{base}/{name}`. */
export const isSingle = (cls: Class): boolean => cls.collection === undefined && cls.operations.size > 0

/** The path segment below the base URL where the class is served; undefined for a class that is only embedded. */
export const pathOf = (cls: Class): string | undefined =>
  cls.collection ?? (isSingle(cls) ? cls.name : undefined)

/** The classes that have stored members: those with a collection, and single resources. */
export const storedClasses = ({ classes }: Pick<Model, 'classes'>): Class[] =>
  classes.filter((cls) => pathOf(cls) !== undefined)

/** The names of the classes whose members can take others along, or change them, when they are removed (model.md). */
export const removalTargets = (model: Pick<Model, 'classes'>): ReadonlySet<string> =>
  new Set(storedClasses(model).flatMap((cls) => [...targetsWithRule(cls)]))

/** The classes whose removals can be previewed. Accounts are removed with the rights of the program. */
export function previewedClasses(model: Pick<Model, 'classes'>): ReadonlySet<string> {
  const targets = new Set(removalTargets(model))
  targets.delete(ACCOUNT)
  return targets
}

/** Links within embedded values count, too. */
function* targetsWithRule({ properties }: Class): Generator<string> {
  for (const { range, onDelete } of properties) {
    if (range.kind === 'embedded') yield* targetsWithRule(range.cls)
    else if (range.kind === 'link' && onDelete !== 'refuse') yield range.className
  }
}

/** Whether any class has an operation that a batch could carry out. */
export const hasWrites = ({ classes }: Pick<Model, 'classes'>): boolean =>
  classes.some(
    ({ operations, isBuiltIn }) =>
      isBuiltIn === undefined && [...operations].some((name) => name !== 'list' && name !== 'read'),
  )

/** The names of the classes whose members are embedded values of others. */
export function embeddedNames(classes: readonly Class[]): ReadonlySet<string> {
  const ranges = classes.flatMap(({ properties }) => properties.map(({ range }) => range))
  return new Set(ranges.flatMap((range) => (range.kind === 'embedded' ? range.cls.name : [])))
}

/** The model without accounts, which no API file declares: they are not in the feed, in batches or in exports. */
export const ofFile = (model: Model): Model => ({
  ...model,
  classes: model.classes.filter(({ isBuiltIn }) => isBuiltIn === undefined),
})

/** The names of the classes that properties link to, also within embedded values. */
export const linkedNames = (classes: readonly Class[]): ReadonlySet<string> =>
  new Set(
    classes.flatMap(({ properties }) =>
      properties.flatMap(({ range }) => (range.kind === 'link' ? range.className : [])),
    ),
  )

export type Range =
  | { readonly kind: 'datatype'; readonly datatype: DatatypeName }
  | { readonly kind: 'link'; readonly className: string; readonly collection: string }
  /** A nested object without an address. No class embeds itself, however deep. */
  | { readonly kind: 'embedded'; readonly cls: Class }

export interface Property {
  readonly name: string
  /** A term of a public vocabulary; without one the property is `{base}/vocab#{Class}/{name}`. */
  readonly iri: string | undefined
  readonly title: string
  readonly description: string
  readonly range: Range
  readonly many: boolean
  readonly required: boolean
  readonly writable: boolean
  readonly unique: boolean
  /** Always false for embedded values and datatypes without keys. Text by language is filtered only by `q`. */
  readonly filterable: boolean
  /** Whether its text usually has line breaks: only a hint for user interfaces. */
  readonly multiline: boolean
  readonly default: DefaultValue | undefined
  /** Set at every write; such a property is not writable (model.md). */
  readonly always: 'now' | 'user' | undefined
  /** What becomes of a member when the member that it links to is removed (model.md); `refuse` where it is no link. */
  readonly onDelete: RemovalRule
  /** The name under which the class that a link leads to has the members that link to it (`ReverseLink.name`). */
  readonly reverse: string | undefined
  /** A value to show to people; a single one, even if the property may have many. */
  readonly example: string | number | boolean | undefined
  /** The unit of a number, for people: EUR. */
  readonly unit: string | undefined
  readonly constraints: Constraints
  /** Its name in stored members, if the API file has renamed it (`was`). */
  readonly formerName: string | undefined
  /** Who may see it, and who may write it (people.md, Properties for some); absent: as the class. */
  readonly view?: Grantees
  readonly write?: Grantees
  /** In a permitted model: the users may write it, and nobody can read it. */
  readonly isWriteOnly?: true
}

/** Text for people, in one language or several. */
export const isText = ({ range }: Pick<Property, 'range'>): boolean =>
  range.kind === 'datatype' && (range.datatype === 'string' || range.datatype === 'langString')

/** The datatypes that the id of a user has. */
export const INTEGERS: readonly DatatypeName[] = ['integer', 'nonNegativeInteger', 'positiveInteger']

/** The class of the users of the API (people.md, Accounts), which every protected API has. */
export const ACCOUNT = 'Account'
export const ACCOUNTS = 'accounts'

export const isAccount = ({ name }: Pick<Class, 'name'>): boolean => name === ACCOUNT

export const isLinkToAccount = (range: Range): boolean => range.kind === 'link' && range.className === ACCOUNT

/** Whether values link to accounts; links within embedded values count, too. */
export const leadsToAccounts = (range: Range): boolean =>
  range.kind === 'embedded' ? linksToAccounts(range.cls) : isLinkToAccount(range)

/** Whether members of the class can link to accounts. */
export const linksToAccounts = ({ properties }: Pick<Class, 'properties'>): boolean =>
  properties.some(({ range }) => leadsToAccounts(range))

/** What the server can fill in by itself, as a default or always: the time, or the user: their id, or a link to their account. */
export function isFilled(
  word: unknown,
  { range, many }: Pick<Property, 'range' | 'many'>,
): word is 'now' | 'user' {
  if (many) return false
  if (range.kind !== 'datatype') return word === 'user' && isLinkToAccount(range)
  if (word === 'now') return range.datatype === 'dateTime' || range.datatype === 'date'
  return word === 'user' && INTEGERS.includes(range.datatype)
}

/** `now` is the time of the write, `user` the id of the user who writes; what is not writable stays as it was created. */
export type DefaultValue =
  | { readonly kind: 'now' | 'user' }
  | { readonly kind: 'value'; readonly value: unknown }

export const REMOVAL_RULES = ['refuse', 'unset', 'delete'] as const

export type RemovalRule = (typeof REMOVAL_RULES)[number]

export interface Constraints {
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly enum?: readonly (string | number)[]
  /** The most digits after the point of a decimal. */
  readonly scale?: number
}

/** The property of the member that a path leads through first: paths in embedded values and lists have slashes. */
export const topProperty = (path: string): string => path.split('/', 1)[0] ?? ''
