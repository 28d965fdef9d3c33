import { NO_RULES, NOBODY } from './access/access.ts'
import { type ClassOfFile, fingerprintOf, finishClasses } from './finish-classes.ts'
import {
  ACCOUNT,
  ACCOUNTS,
  type AccountRules,
  type Class,
  type DatatypeName,
  type Grantees,
  isAccount,
  type Model,
  type Property,
  type Rules,
  USUAL_METHODS,
} from './model.ts'

/** Its outline, for links from the classes of an API file. */
export const ACCOUNT_OUTLINE = { name: ACCOUNT, collection: ACCOUNTS }

const NO_ONE: AccountRules = { manage: NOBODY, view: NOBODY, rename: NOBODY }

/** The model with accounts, and with the rules for them. */
export function withAccounts(model: Model): Model {
  const rules = model.accounts ?? NO_ONE
  const { access = NO_RULES } = model
  const classes = model.classes.some(isAccount)
    ? model.classes
    : [...model.classes, ...finishClasses([ACCOUNT_OUTLINE], accountClass)]
  return {
    ...model,
    classes: classes.map((cls) => (isAccount(cls) ? withRules(cls, rules) : cls)),
    access: {
      ...access,
      ...(model.access === undefined && { isBuiltIn: true }),
      classes: new Map([...access.classes, [ACCOUNT, operationRules(rules)]]),
    },
  }
}

/** The class before its rules are known. */
export const accountClass = (): ClassOfFile => ({
  name: ACCOUNT,
  iri: undefined,
  title: ACCOUNT,
  description: 'A user of this API',
  collection: ACCOUNTS,
  operations: new Set(['list', 'create', 'read', 'update', 'delete'] as const),
  methods: USUAL_METHODS,
  formerName: undefined,
  label: ['name'],
  plural: 'accounts',
  isBuiltIn: true,
  uniqueTogether: [],
  properties: [
    property('userId', 'positiveInteger', 'The number of the user', { unique: true }),
    property('name', 'string', 'What people call the user, who may sign in with it', { unique: true }),
    property('roles', 'string', 'What the user may do', { many: true }),
    property('revision', 'integer', 'Counts the changes of the user, for the server alone', UNKEPT),
    property('createdAt', 'dateTime', 'When the account was added', UNWRITTEN),
    // Added to what is stored when an account is read.
    property('signedInAt', 'dateTime', 'When the user has last signed in', UNKEPT),
    property('tokens', 'nonNegativeInteger', 'How many tokens of the user are live', UNKEPT),
    property('paraphrase', 'string', 'What the user signs in with; nobody can read it', {
      filterable: false,
    }),
  ],
})

const UNWRITTEN = { writable: false }
/** Not found by filters: changes too often, or only the server needs it. */
const UNKEPT = { writable: false, filterable: false }

const property = (
  name: string,
  datatype: DatatypeName,
  description: string,
  more: Partial<Property>,
): Property => ({
  name,
  iri: undefined,
  title: name,
  description,
  range: { kind: 'datatype', datatype },
  many: false,
  required: false,
  writable: true,
  unique: false,
  filterable: true,
  multiline: false,
  default: undefined,
  always: undefined,
  onDelete: 'refuse',
  reverse: undefined,
  example: undefined,
  unit: undefined,
  constraints: {},
  formerName: undefined,
  ...more,
})

/** All users see their own account, which they own. */
const OWN: Grantees = { ...NOBODY, owner: true }

function together(...all: readonly Grantees[]): Grantees {
  return {
    anyone: all.some(({ anyone }) => anyone),
    everyone: all.some(({ everyone }) => everyone),
    owner: all.some(({ owner }) => owner),
    roles: [...new Set(all.flatMap(({ roles }) => roles))],
    paths: [],
  }
}

/** Whether users may change their own name: `rename: everyone` means the owner of each account. */
const mayRename = ({ rename }: AccountRules): boolean => rename.everyone

function operationRules(rules: AccountRules): Rules {
  const { manage, view } = rules
  const see = together(manage, view, OWN)
  const update = mayRename(rules) ? together(manage, OWN) : manage
  return new Map([
    ['list', see],
    ['read', see],
    ['create', manage],
    ['update', update],
    ['delete', manage],
  ])
}

function withRules(cls: Class, rules: AccountRules): Class {
  const { manage } = rules
  const see = together(manage, OWN)
  const rename = mayRename(rules) ? together(manage, OWN) : manage
  const ruled: Readonly<Record<string, Pick<Property, 'view' | 'write'>>> = {
    name: { write: rename },
    userId: { write: manage },
    roles: { view: see, write: manage },
    createdAt: { view: see },
    signedInAt: { view: see },
    tokens: { view: see },
    paraphrase: { view: NOBODY, write: manage },
    revision: { view: NOBODY },
  }
  const properties = cls.properties.map((one) => ({ ...one, ...ruled[one.name] }))
  const fingerprint = fingerprintOf({ ...cls, properties }, cls.within)
  return { ...cls, properties, fingerprint, isOwned: true }
}

/** Without authentication there are no accounts, so links to them lead to nothing, and no users who have roles. */
export const withoutAccounts = ({ access: _, ...model }: Model): Model => ({
  ...model,
  classes: model.classes.map((cls) =>
    isAccount(cls) ? { ...cls, collection: undefined, operations: new Set(), properties: [] } : cls,
  ),
})

/** The model of data that comes and goes without accounts, though it may link to them (people.md, Accounts). */
export const ofData = (model: Model): Model => ({
  ...model,
  classes: model.classes.filter((cls) => !isAccount(cls)),
})
