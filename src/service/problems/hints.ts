// What to write in an API file instead of the words of other schema languages.
import { didYouMean, nearest, suggestion } from '../../text.ts'
import { type FilePart, isDatatypeName } from '../../vocabulary/index.ts'

/** What to write instead of words of other schema languages, by these words in lower case. */
type Hints = ReadonlyMap<string, string>

/** The keys of `rows` are words with spaces between them. */
const hintsOf = (rows: Readonly<Record<string, string>>): Hints =>
  new Map(Object.entries(rows).flatMap(([words, hint]) => words.split(' ').map((word) => [word, hint])))

const LINK = 'a link has the name of a class as its type: { type: Author }'
export const LIST = 'a list has the type of its elements and "many: true": { type: string, many: true }'
const OBJECT = 'an object has the name of a class as its type, one with "collection: false"'
export const IDS =
  'every member has an id in its address; for one of your own, write { type: string, unique: true }'
const OPTIONAL = 'a member may lack whatever is not "required: true"'
const CHOICE = '{ type: string, enum: [red, green] }'
const OPEN_API =
  'this is an OpenAPI document; write an API file for it with: hydrant init my-api --from <this file>'
const EMAIL = '{ type: string, pattern: "^[^@ ]+@[^@ ]+$" }'

/** Hints for types: a datatype alone is the one that was probably meant. */
const TYPES = hintsOf({
  'int int2 int4 int8 int32 int64 smallint tinyint mediumint long bigint bigdecimal serial bigserial number.int year':
    'integer',
  'number money currency numeric price percent percentage': 'decimal',
  'real float4 float8': 'double',
  bool: 'boolean',
  'str char varchar nvarchar citext character': 'string',
  'url uri iri': 'anyURI',
  'file files image photo picture media upload attachment blob binary bytea bytes base64':
    'files are kept elsewhere: write anyURI, for the address of one',
  'timestamp timestamptz instant': 'dateTime',
  interval: 'duration',
  'password passwd passphrase':
    'users sign in with a paraphrase of their own: hydrant user add 1; for any other secret, write { type: string, view: owner }',
  'point geo geopoint geometry location coordinates':
    'write a class with { latitude: double, longitude: double } and "collection: false", and its name as the type',
  'rdf:langstring multilingual i18n translated': 'langString',
  'text longtext markdown html richtext textarea': 'write { type: string, multiline: true }',
  'email e-mail': `write ${EMAIL}`,
  'phone tel color slug': 'write { type: string, pattern: "^[0-9+ -]+$" }, with a pattern that fits',
  'uuid guid id objectid': IDS,
  'array list set collection': LIST,
  'object json jsonb map record struct dict any mixed': OBJECT,
  'enum select choice union': `write ${CHOICE}`,
  'ref reference link relation relationship foreignkey belongsto hasone manytoone': LINK,
  'user users principal': 'write Account, for a link to a user of the API',
  'hasmany onetomany manytomany':
    'write { type: Author, many: true }, with the name of the class that it links to',
})

const PROPERTY_HINTS = hintsOf({
  'readonly immutable': 'write "writable: false"',
  'computed calculated derived generated formula virtual expression':
    'values are computed in a hook (docs/library.md); "writable: false" keeps clients from writing them',
  'private hidden secret internal visible visibility visibleto read readable readableby':
    'write "view", with who may see it: { type: string, view: owner }',
  'writeonly access permissions roles acl security':
    'write "view" and "write", with who may see it and who may write it: { type: string, view: everyone, write: owner }',
  'editable editableby writableby edit':
    'write "write", with who may write it: { type: string, write: owner }',
  'max le lte': 'write "maximum" for numbers, and "maxLength" for texts',
  'min ge gte': 'write "minimum" for numbers, and "minLength" for texts',
  'length size len maxlen limit': 'write "maxLength"',
  'exclusiveminimum exclusivemaximum multipleof step':
    'write "minimum", "maximum", or "scale" for the digits of a decimal; nothing else is checked for numbers',
  'nullable optional null allownull allow_null blank': `leave it out: ${OPTIONAL}`,
  'notnull not_null nonnull mandatory presence': 'write "required: true"',
  'array list multiple multi repeated isarray collection': 'write "many: true"',
  'minitems maxitems uniqueitems': 'a list has 0 to 1,000 values; "required: true" asks for at least one',
  'items of elements': LIST,
  'ref $ref reference references link target relation to class foreignkey foreign_key': LINK,
  properties: OBJECT,
  'format email': `a format is a type, such as date, dateTime or anyURI, or a pattern: ${EMAIL}`,
  'regex regexp match matches': 'write "pattern"',
  'values options choices oneof allowed in const choice': `write "enum": ${CHOICE}`,
  'label displayname caption name': 'write "title", for people; the name is the key itself',
  'desc doc comment help': 'write "description"',
  'examples sample placeholder': 'write "example"',
  'id primarykey primary_key pk key autoincrement auto_increment': IDS,
  'index indexed searchable sortable filter search':
    'every property has an index; "filterable: false" is for those that need none',
  'defaultvalue initial': 'write "default"',
  'auto autogenerate autonowadd auto_now_add createdat': 'write "default: now" and "writable: false"',
  'onupdate updatedat autoupdate changedat autonow auto_now': 'write "always: now"',
  'cascade ondelete on_delete dependent onremove': 'write "onDelete": refuse, unset or delete',
  'inverse inversedby inverseof inverse_of mappedby backref back_populates related_name relatedname backreference':
    'write "reverse" at the link, with the name that the other class gets for it: { type: Author, reverse: books }',
  'precision decimals digits fractiondigits': 'write "scale": the most digits after the point',
  'currency symbol suffix units': 'write "unit"',
  'lines rows textarea longtext text': 'write "multiline: true"',
  unsigned: 'write the type nonNegativeInteger',
  'mimetype accept maxsize filesize':
    'files are kept elsewhere: write the type anyURI, for the address of one',
  'validate validation validator check':
    'write "pattern", "minimum", "maximum" or "enum"; anything else is checked by a hook: hydrant serve --with',
  'rename renamedfrom formername previously': 'write "was"',
})

const CLASS_HINTS = hintsOf({
  '': 'its properties belong under "properties"',
  required: 'write "required: true" at each property that is',
  'fields attributes attrs columns props schema': 'write "properties"',
  'path url route endpoint table resource': 'write "collection"',
  'methods actions verbs': 'write "operations"',
  'embedded abstract inline': 'write "collection: false"',
  single: 'write "collection: false" and "operations"',
  type: 'leave it out: a class is always an object',
  'id primarykey key': 'leave it out: every member has an id in its address',
  additionalproperties: 'leave it out: other properties are always refused',
  'extends allof inherits subclassof parent': 'write the properties out: no class has those of another one',
  'permissions security acl auth rules roles': 'write "access"',
  'displayname caption name':
    'write "title", for people; the name is the key itself; a property called so belongs under "properties"',
  'displayproperty namefield titlefield representation':
    'write "label", with the property that names a member',
  'index indexes indices': 'leave it out: every property has an index',
  'uniques uniquetogether unique_together uniqueconstraints': 'write "unique": [[customer, number]]',
  'pluralname plurallabel': 'write "plural"',
  'audit audited versioned versioning versions paranoid softdelete softdeletes soft_delete':
    'write "history: true"',
  'hooks triggers callbacks validate': 'hooks are written in a module: hydrant serve --with',
  'timestamps timestamped':
    'add a property: changedAt: { type: dateTime, always: now }, and with "default: now" one for the creation',
})

const FILE_HINTS = hintsOf({
  '': 'classes belong under "classes"',
  'schemas definitions $defs components models entities resources types collections tables':
    'write "classes"',
  'name info': 'write "title"',
  version: 'leave it out',
  'openapi swagger paths': OPEN_API,
  'base baseurl url host port server servers db database': 'that is a setting: see hydrant serve --help',
  'auth users people security authentication':
    'users are added with: hydrant user add 1; "accounts" says who may manage them',
  'permissions acl rules': 'write "access"',
})

export const OPERATION_HINTS = hintsOf({
  get: 'write "read" for a member, and "list" for the collection',
  'post add insert': 'write "create"',
  put: 'write "replace"',
  'patch edit change': 'write "update"',
  'remove destroy': 'write "delete"',
  'index query search': 'write "list"',
  'show view find': 'write "read"',
  'all * crud': 'leave "operations" out: then the class has all of them',
})

/** Words of other systems for the grantees that are no roles; none of them is a likely name of a role. */
const GRANTEES: ReadonlyMap<string, string> = hintsOf({
  'all any users authenticated': 'everyone',
  'public anonymous unauthenticated world *': 'anyone',
  'self me creator own': 'owner',
  'none no-one noone': 'nobody',
})

/** The grantee that a word stands for in other systems, if it can be named here, or the nearest one. */
export const meantGrantee = (word: string, known: readonly string[]): string | undefined => {
  const meant = GRANTEES.get(word.toLowerCase()) ?? ''
  return known.includes(meant) ? meant : nearest(word, known)
}

const ACCESS_HINTS: Hints = new Map([
  ...OPERATION_HINTS,
  ...hintsOf({ '* crud': 'write "all"', roles: 'declare them in "roles", at the top of the file' }),
])

const ACCOUNT_HINTS = hintsOf({
  'admin create add write update edit delete remove': 'write "manage"',
  'read list see': 'write "view"',
})

/** The names of rules for links in other languages, without spaces, "-" and "_". */
const REMOVAL_HINTS = hintsOf({
  'cascade destroy remove': 'write "delete"',
  'setnull setundefined nullify null detach unlink': 'write "unset"',
  'restrict noaction protect deny error prevent': 'write "refuse"',
})

export const removalHint = (word: string, known: readonly string[]): string =>
  REMOVAL_HINTS.get(word.toLowerCase().replace(/[\s_-]/g, '')) ?? suggestion(word, known)

/** `required, unique` → `required: true, unique: true` */
const flags = (words: string): string =>
  [...new Set(words.toLowerCase().match(/[a-z]+/g))].map((word) => `${word}: true`).join(', ')

/** Generic types of other languages, and types with other keys of a property behind them. */
const FORMS: readonly (readonly [form: RegExp, hint: (element: string, words?: string) => string])[] = [
  [/^([^\s[\]]+)\[\]$/, (element) => `write { type: ${element}, many: true }`],
  [/^(?:array|list|set)<([^\s<>]+)>$/i, (element) => `write { type: ${element}, many: true }`],
  [/^([^\s?|]+)(?:\?|\|null)$/, (element) => `write ${element}; ${OPTIONAL}`],
  [/^([^\s!]+)!$/, (element) => `write { type: ${element}, required: true }`],
  [
    /^([^\s(),]+)[\s(,]+((?:\b(?:required|many|unique|multiline)\b[\s,]*)+)\)?$/i,
    (element, words = '') => `write { type: ${element}, ${flags(words)} }`,
  ],
  [
    /^(?:decimal|numeric|number)\([0-9]+, *([0-9]+)\)$/i,
    (scale) => `write { type: decimal, scale: ${scale} }`,
  ],
  [/^(?:var)?char\(([0-9]+)\)$/i, (length) => `write { type: string, maxLength: ${length} }`],
]

/** What to write instead of an unknown type. */
export function typeHint(type: string, known: readonly string[]): string {
  for (const [form, hint] of FORMS) {
    const [, element, words] = form.exec(type) ?? []
    if (element === undefined) continue
    const meant = TYPES.get(element.toLowerCase()) ?? ''
    return hint(isDatatypeName(meant) ? meant : element, words)
  }
  const same = known.find((one) => one.toLowerCase() === type.toLowerCase())
  if (same !== undefined) return didYouMean(same, type)
  const meant = TYPES.get(type.toLowerCase())
  if (meant === undefined) return suggestion(type, known)
  return isDatatypeName(meant) ? didYouMean(meant, type) : meant
}

/** What to write instead of a word: its hint, or the nearest one that is known, or else the hint for all words and those. */
export function hintFor(word: string, known: readonly string[], hints?: Hints): string {
  const hint = hints?.get(word.toLowerCase())
  if (hint !== undefined) return hint
  const general = nearest(word, known) === undefined ? hints?.get('') : undefined
  return `${general === undefined ? '' : `${general}; `}${suggestion(word, known)}`
}

const KEY_HINTS: Partial<Record<FilePart['kind'], Hints>> = {
  file: FILE_HINTS,
  class: CLASS_HINTS,
  access: ACCESS_HINTS,
  accounts: ACCOUNT_HINTS,
  property: PROPERTY_HINTS,
}

export const keyHint = (word: string, known: readonly string[], { kind }: FilePart): string =>
  hintFor(word, known, KEY_HINTS[kind])
