// Sentences about API files: each follows its place in the file, and has no period.
import type { Sentences } from '../../problem.ts'
import { didYouMean, suggestion } from '../../text.ts'
import type {
  AccessProblems,
  ApiFileProblems,
  FilePart,
  OperationProblems,
  ShortFormProblems,
  SyntaxProblems,
} from '../../vocabulary/index.ts'
import { CONFLICTS, KINDS, LINK_INSTEAD } from './conflicts.ts'
import { CONSTRAINTS, JSON_SENTENCES } from './constraints.ts'
import { DOCUMENT } from './document.ts'
import { hintFor, IDS, keyHint, LIST, meantGrantee, OPERATION_HINTS, removalHint, typeHint } from './hints.ts'

/** What a sentence calls a part of a file. */
function nameOf(part: FilePart): string {
  switch (part.kind) {
    case 'file':
      return 'the API file'
    case 'access file':
      return 'the access file'
    case 'webhook':
      return 'a webhook'
    case 'classes':
    case 'access':
    case 'accounts':
      return `"${part.kind}"`
    case 'class':
    case 'class rules':
      return `class ${part.className}`
    case 'properties':
      return `the properties of ${part.className}`
    case 'property':
      return propertyName(part)
  }
}

const propertyName = ({ className, property }: { className: string; property: string }): string =>
  `property "${property}" of ${className}`

/** What a map looks like, mostly for readers who have written a list. */
const MAPS: Partial<Record<FilePart['kind'], string>> = {
  classes: '{ Book: { properties: { title: string } } }',
  class: '{ properties: { title: string } }',
  properties: '{ title: string, price: decimal }',
  access: '{ view: everyone, write: nobody }',
  accounts: '{ manage: nobody, view: everyone }',
  webhook:
    '{ name: billing, url: https://billing.example/hook, classes: [Order], secretFile: billing.secret }',
}

const FORBIDDEN =
  'this user may not read it; give the user the right to, with chmod or chown, or name another file'

/** Why a file cannot be read, and what to do about it, by the code of the system. */
const UNREADABLE: Readonly<Record<string, string>> = {
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  ENOTDIR: 'a part of this path is not a folder; name another file',
}

const noSuchFile = (otherwise: string, meant: string | undefined): string =>
  `there is no such file; ${meant === undefined ? `${otherwise}, or name another file` : `did you mean "${meant}"?`}`

export const SYNTAX: Sentences<SyntaxProblems> = {
  NoSuchApiFile: ({ meant }) => noSuchFile('write one with "hydrant init"', meant),
  NoSuchFile: ({ meant }) => noSuchFile('write it', meant),
  ApiFileIsFolder: 'this is a folder; name the API file in it',
  UnreadableApiFile: ({ systemCode, reason }) =>
    UNREADABLE[systemCode] ?? `the file cannot be read: ${reason}; name another file`,
  UnknownFileEnding: ({ ending, known }) =>
    `the name of an API file must end in ${known.slice(0, -1).join(', ')} or ${known.at(-1)}; ` +
    (ending === '' ? 'this one has no ending' : `this one ends in "${ending}"`),
  LongFormAsJson: 'this is JSON-LD, the long form of an API file; rename it to end in .jsonld',
  EmptyApiFile: 'the file is empty; "hydrant init" writes one to start from',
  EmptyAccessFile: 'the file is empty; give roles, access, accounts or classes, or leave --access out',
  EmptyWebhooksFile: 'the file is empty; list webhooks in it, or leave --webhooks out',
  InvalidYaml: ({ reason }) => `this is not YAML or JSON: ${reason}`,
  UnevenIndentation:
    'this line is indented differently from those beside it; begin all entries of a map, or of a list, in the same column',
  ContinuedValue:
    'this line is indented further than the one above, which has a value already; indent both alike, ' +
    'or put a text of several lines in quotes',
  TabAsIndentation: 'this line is indented with a tab; use spaces, two for each level',
  SecondColon:
    'this line has a second colon, which YAML takes for the end of another name; put the value in quotes if it is a text, ' +
    'or on lines of its own if it is a map',
  MissingColon:
    'a name must be followed by a colon, and by a space if its value is on the same line, as in "title: Books"; ' +
    'a line that belongs to the text above must be indented further',
  MissingSpace: ({ name, value }) =>
    `there is no space after the colon of "${name}"; write "${name}: ${value}"`,
  MissingComma:
    'a comma, a colon or a brace is missing here; write a map in one line as in { type: string, required: true }',
  EmptyEntry: 'there is nothing before this comma; remove it',
  MisplacedElement:
    '"-" begins an element of a list, and no list has begun in this column; begin all elements in one column, or write the list in one line, as in "operations: [list, read]"',
  UnclosedBracket: ({ opening, closing }) =>
    `this "${opening}" is not closed; add a "${closing}" after its last entry`,
  UnopenedBracket: ({ opening, closing }) =>
    `there is no "${opening}" for this "${closing}"; remove it, or add the "${opening}"`,
  UnclosedQuote: ({ quote }) =>
    `the quote that begins here is not closed; add ${quote} at the end of the text`,
  TextAfterQuote: 'the text goes on after its closing quote; put all of it in one pair of quotes',
  JoinedComment: 'a comment needs a space before its "#"; add one, or put the whole text in quotes',
  UnknownEscape:
    'a backslash in double quotes begins an escape such as \\n; write two of them, or use single quotes',
  SpecialStart: ({ character }) =>
    `a text cannot begin with "${character}", which has a meaning in YAML; put it in quotes`,
  SecondDocument: 'the line "---" begins a second document, but a file has one; remove the line',
  UnquotedPattern: ({ pattern }) =>
    `YAML reads part of the pattern ${pattern} as something else; put the pattern in single quotes`,
  AliasNotPossible: ({ name }) => `the alias *${name} cannot be used here; write the value out`,
  TagNotPossible: ({ name }) => `the tag ${name} cannot be used here; write the value without it`,
  NotAMap: ({ within }) =>
    `${nameOf(within)} must be a map of names to values${within.kind in MAPS ? `, such as ${MAPS[within.kind]}` : ''}`,
  NameNotText: ({ within }) => `a name in ${nameOf(within)} must be a string; put it in quotes`,
  UnknownKey: ({ name, known, within }) =>
    `"${name}" is not a key of ${nameOf(within)}; ${keyHint(name, known, within)}`,
  RepeatedKey: ({ name, within }) => `"${name}" is in ${nameOf(within)} twice; keep one of them`,
  NotAText: ({ name }) => `"${name}" must be a string; put it in quotes`,
  NotAFlag: ({ name }) => `"${name}" must be true or false`,
  RelativeIri: ({ iri }) => `"${iri}" is not an absolute IRI; write one such as http://schema.org/name`,
}

const DEFAULT_MEANT = {
  now: 'write "default: now"',
  user: 'write "default: user"',
  id: `leave it out: ${IDS}`,
}

/** The types that a constraint fits, where these are not texts. */
const FITTING: Readonly<Record<string, string>> = { minimum: 'numbers', maximum: 'numbers', scale: 'decimal' }

export const SHORT_FORM: Sentences<ShortFormProblems> = {
  PropertiesOutsideClass: '"properties" belongs in a class; indent it',
  PropertyAmongKeys: ({ className, property }) =>
    `"${property}" looks like a property of ${className}; properties are written below the key "properties", indented further than it`,
  NoClass: 'the API file has no class; "classes" must map at least one name, such as Book, to a class',
  InvalidCollection: '"collection" must be a path such as books, or false for none',
  OperationsNotAList: ({ className }) => `the operations of ${className} must be a list such as [list, read]`,
  UnknownOperation: ({ name, known }) =>
    name === undefined
      ? `this is not an operation; possible: ${known.join(', ')}`
      : `"${name}" is not an operation; ${hintFor(name, known, OPERATION_HINTS)}`,
  DuplicateOperation: ({ operation, className }) =>
    `"${operation}" is in the operations of ${className} twice; keep one of them`,
  NotAProperty: ({ element, ...property }) =>
    `${propertyName(property)} must be a type such as string, or a map with a "type"` +
    (element === undefined ? '' : `; write a list as { type: ${element}, many: true }`),
  MissingType: ({ known, ...property }) =>
    `${propertyName(property)} has no "type"; possible: ${known.join(', ')}`,
  ListAsType: `a property has one type; ${LIST}`,
  UnknownType: ({ type, known }) => `"${type}" is not a type; ${typeHint(type, known)}`,
  EmbeddingCycle: ({ cycle }) => `${cycle.join(' embeds ')}: a value cannot contain itself; ${LINK_INSTEAD}`,
  EmbeddedTooDeep: `the classes embed each other too many levels deep; ${LINK_INSTEAD}`,
  RequiredNotWritable: ({ name }) =>
    `"${name}" is required but nobody can write it; give it a default or make it writable`,
  UnfitConstraint: ({ constraint, range, type }) => {
    const what = { datatype: type, link: `a link to ${type}`, embedded: `the embedded value ${type}` }[range]
    if (constraint === 'enum') return `"enum" cannot be used with ${what}; remove it`
    const fitting = FITTING[constraint] ?? 'string and anyURI'
    return `"${constraint}" can only be used with ${fitting}, not with ${what}; remove it`
  },
  DuplicateChoice: ({ value }) => `${JSON.stringify(value)} is in "enum" twice; keep one of them`,
  EmptyDefault: '"default" has no value; give one, or leave it out',
  NoDefaultPossible: ({ name, kind, word }) => {
    if (word !== undefined)
      return `"${name}" is a link to accounts, whose default can only be ${word}; write "default: ${word}", or remove it`
    return `"${name}" is ${kind === undefined ? 'a link' : KINDS[kind]}, which cannot have a default; remove "default"`
  },
  RequiredUserDefault: ({ name }) =>
    `"${name}" cannot be required: its default is the user, and there is none in an import or with authentication off; ` +
    'leave "required" out',
  ForeignDefault: ({ value, datatype, meant }) =>
    `"${value}" is not a value of type ${datatype}; ${DEFAULT_MEANT[meant]}`,
  AlwaysWritable: ({ name }) =>
    `"${name}" is set at every write, so nobody else can write it; remove "writable" or "always"`,
  AlwaysAndDefault: ({ name }) =>
    `"${name}" is set at every write, so its default would never be used; remove "default" or "always"`,
  AlwaysUnfit: ({ name, type, many, word }) => {
    if (many) return `"always" sets one value, and "${name}" has many; remove "many" or "always"`
    if (word !== undefined)
      return `"always" of "${name}", which is ${type}, can only be ${word}; write "always: ${word}"`
    return `"always" is for date, dateTime, integer and Account, and this is ${type}; remove it`
  },
  RemovalRuleUnfit: ({ type }) => `"onDelete" is for links, and this is ${type}; remove it`,
  UnknownRemovalRule: ({ word, known }) =>
    word === undefined
      ? `"onDelete" must be one of ${known.join(', ')}`
      : `"onDelete" cannot be "${word}"; ${removalHint(word, known)}`,
  UnsetRequired:
    'a required value cannot be unset; write "onDelete: delete" or "onDelete: refuse", or remove "required"',
  ReverseUnfit: ({ type }) => `"reverse" is for links, and this is ${type}; remove it`,
  NoExamplePossible: ({ name }) =>
    `"${name}" cannot have an example: it is a link, an embedded value or text by language; remove "example"`,
  UnitUnfit: ({ type }) => `"unit" is for numbers, and this is ${type}; remove it`,
  UniqueNotAList: ({ className }) =>
    `"unique" of ${className} must be a list of lists of properties, such as [[customer, number]]; ` +
    'if one property alone is unique, write "unique: true" at the property',
  LabelNotNames: ({ className }) =>
    `"label" of ${className} must be the name of a property, or a list of such names: [project, day]`,
  InvalidHistoryRule: '"history" must be true, false, or a number of days from 1d to 99999d, such as 90d',
  HistoryOfEmbedded: ({ className }) =>
    `${className} is embedded, and has no history of its own; give "history" to the class that embeds it`,
  DefaultNotAList: ({ name }) =>
    `the default of "${name}" must be a list, since the property has many values`,
  DefaultIsAList: ({ name }) => `the default of "${name}" must be one value, not a list`,
}

export const ACCESS: Sentences<AccessProblems> = {
  InvalidRole:
    'a role must be a name of 1 to 64 lower-case letters, digits and "-" that begins with a letter, such as editor',
  ReservedRole: ({ role }) =>
    `a role cannot be called "${role}", which has a meaning of its own in access rules; choose another name`,
  DuplicateRole: ({ role }) => `"${role}" is in the roles twice; keep one of them`,
  RulesTwice: ({ className = 'all classes' }) =>
    `the API file has access rules for ${className} already; keep those of one file`,
  AccountsTwice: 'the API file says who manages accounts already; keep "accounts" in one file',
  RulesOfEmbedded: ({ className }) =>
    `${className} has no operations of its own; give the rules to the class that embeds it`,
  RuleWithoutOperation: ({ operation }) =>
    operation === 'history'
      ? 'the class keeps no history; write "history: true" for it, or remove this rule'
      : `the class has no operation ${operation}; add it to "operations", or remove this rule`,
  UnknownGrantee: ({ name, known }) => {
    const meant = meantGrantee(name ?? '', known)
    const what = `${name === undefined ? 'this' : `"${name}"`} is neither a role nor a link to accounts`
    if (name !== undefined && meant !== undefined) return `${what}; ${didYouMean(meant, name)}`
    const possible = known.length === 1 ? known[0] : `one of ${known.join(', ')}`
    return `${what}; ${name === undefined ? '' : 'declare it in "roles", or '}write ${possible}`
  },
  NoGrantee: 'the list is empty; name who may, or write nobody',
  NobodyAndOthers: '"nobody" cannot be combined with others; remove it, or remove the others',
  NoOwnerOfSingle: ({ className }) =>
    `${className} is a single resource, which has no owner; name roles or everyone`,
  OwnerCannotCreate: ({ collection }) =>
    `"owner" says nothing about who may create ${collection}: a new member has no owner yet; ` +
    'name roles or everyone in "create", which takes precedence over "write" and "all"',
  ChangeWithoutRead: ({ who, operations, what }) =>
    `${named(who)} may ${operations.join(', ')} ${what} but not read; allow both or neither`,
  PathWithoutAccounts: ({ path, className, known }) =>
    `"${path}" does not lead from ${className} to accounts; ` +
    (known.length === 0 ? 'name one or two links, the last of them to Account' : suggestion(path, known)),
  PathNotFilterable: ({ path, name }) =>
    `"${path}" cannot be followed, since "${name}" has no index; remove "filterable: false" from it`,
  PathNotInClass: ({ path, className }) =>
    `"${path}" is not a path from ${className} to accounts; give ${className} rules of its own, or the path to the classes that have it`,
  PathOfSingle: ({ className }) =>
    `${className} is a single resource, whose rules cannot follow links; name roles or everyone`,
  AnyoneOnlyReads:
    '"anyone" may only list and read; name roles, or write everyone, which means every user who has signed in',
  WriteWithoutView: ({ name, who }) =>
    `${named(who)} may write "${name}" but not view it; allow both or neither`,
  RequiredUnwritable: ({ name, who }) =>
    `"${name}" is required, and ${named(who)} may create members, but ${who === 'everyone' ? 'not everyone may' : 'not'} write it; give it a default, or let them write it`,
  LabelHidden: ({ name, who }) =>
    `"${name}" is in the label, which names a member to everyone who sees it, and ${who === 'everyone' ? 'not everyone may' : `${named(who)} may not`} view it; choose another label, or let them view it`,
  RuleWithinEmbedded: ({ name, className }) =>
    `${className} is embedded, and is shown as a whole or not at all; move the rule of "${name}" to the property that embeds ${className}`,
  AccountRuleUnfit: ({ rule, who }) =>
    `"${who}" cannot be used in "${rule}" of "accounts"; ${FIT_FOR_ACCOUNTS[rule]}`,
}

const FIT_FOR_ACCOUNTS = {
  manage: 'name roles, or write nobody',
  view: 'name roles, or write everyone or nobody',
  rename: 'write everyone or nobody',
}

/** Who a rule is about: a role, a path, or one of the words for others. */
const named = (who: string): string => (who === 'owner' ? 'the owner' : who)

export const OPERATIONS: Sentences<OperationProblems> = {
  NotAStoredClass: ({ name, known }) => `"${name}" is not a class with members; ${suggestion(name, known)}`,
  InvalidOperationName:
    'the name of an operation must be lower-case letters, digits and "-", and begin with a letter, such as ship',
  ReservedOperationName: ({ name }) => `"${name}" has a meaning of its own; choose another name`,
  OperationIsProperty: ({ className, name }) =>
    `${className} has a property "${name}" already; choose another name`,
  UnknownOperationKey: ({ name, known }) =>
    `"${name}" is not a key of an operation; ${suggestion(name, known)}`,
  NoHandler: 'the operation has no function "handle" that carries it out; add one',
  TransactionNotBoolean: '"transaction" must be true or false',
  OperationKeyNotText: ({ key }) =>
    `"${key}" must be ${key === 'title' ? 'a string' : 'the name of a class'}`,
  UnknownClass: ({ key, name, known }) =>
    `"${key}" must be the name of a class, and "${name}" is not one; ${suggestion(name, known)}`,
}

export const API_FILE: Sentences<ApiFileProblems> = {
  ...SYNTAX,
  ...SHORT_FORM,
  ...ACCESS,
  ...CONFLICTS,
  ...DOCUMENT,
  ...OPERATIONS,
  ...CONSTRAINTS,
  ...JSON_SENTENCES,
}
