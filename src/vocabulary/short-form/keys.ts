import { suggestion } from '../../text.ts'
import { isDatatypeName } from '../datatypes.ts'
import { type Constraints, DATATYPE_NAMES, OPERATIONS, RULE_NAMES } from '../model.ts'
import { CLASS_NAME, PROPERTY_NAME, ROLE } from '../names.ts'
import type { Hints } from './yaml.ts'

/** The meaning and the values of each key, as JSON Schema. The reader uses the keys alone. */
type Keys = Readonly<Record<string, { readonly description: string; readonly [keyword: string]: unknown }>>

const text = (description: string) => ({ description, type: 'string' })
const flag = (description: string) => ({ description, type: 'boolean' })
const ref = (name: string) => ({ $ref: `#/$defs/${name}` })
const list = (items: object) => ({ type: 'array', items, uniqueItems: true })
const mapOf = (name: RegExp, value: object) => ({
  type: ['object', 'null'],
  propertyNames: { pattern: name.source },
  additionalProperties: value,
})

export const FILE_KEYS: Keys = {
  $schema: text('The address of this schema, for editors; nothing else reads it.'),
  title: text('What the API is called. Without it, the name of the file.'),
  description: text('What the API is for, in a sentence.'),
  roles: {
    description: 'The roles that users can have, for access rules: [editor, author]',
    ...list({ type: 'string', pattern: ROLE.source }),
  },
  access: { description: 'Who may do what, for every class that does not say otherwise', ...ref('access') },
  classes: {
    description: 'What the API has: names such as Book, each with its properties',
    ...mapOf(CLASS_NAME, ref('class')),
    type: 'object',
    minProperties: 1,
  },
}

export const CLASS_KEYS: Keys = {
  iri: text('A term of a public vocabulary: http://schema.org/Book'),
  title: text('What people call the class. Without it, its name.'),
  description: text('What a member of the class is, in a sentence.'),
  collection: {
    description:
      'The path of the collection. Without it, the plural of the class in lower case; false for none: an embedded value, or one resource where it has operations',
    anyOf: [{ type: 'string' }, { const: false }],
  },
  properties: { description: 'What members of the class have', ...mapOf(PROPERTY_NAME, ref('property')) },
  operations: {
    description: 'What can be done with members. Without it, everything.',
    ...list({ enum: OPERATIONS }),
  },
  access: { description: 'Who may do what with members of this class', ...ref('access') },
  was: text('The former name of a renamed class'),
}

const LENGTH = { type: 'integer', minimum: 0 }

const CONSTRAINTS = {
  minLength: { description: 'The fewest characters, for string and anyURI', ...LENGTH },
  maxLength: { description: 'The most characters, for string and anyURI', ...LENGTH },
  pattern: {
    ...text('A regular expression, for string and anyURI; ^ and $ hold it to the whole text'),
    format: 'regex',
  },
  minimum: { description: 'The least value, for numbers', type: 'number' },
  maximum: { description: 'The greatest value, for numbers', type: 'number' },
  enum: {
    description: 'The possible values: [open, paid, shipped]',
    ...list({ type: ['string', 'number'] }),
    minItems: 1,
  },
} satisfies Record<keyof Constraints, Keys[string]>

export const PROPERTY_KEYS: Keys = {
  type: { description: 'A datatype, or the name of a class', ...ref('type') },
  iri: text('A term of a public vocabulary: http://schema.org/name'),
  title: text('What people call the property. Without it, its name.'),
  description: text('What the value says, in a sentence.'),
  required: flag('Whether every member must have a value'),
  many: flag('Whether it has a list of values'),
  unique: flag('Whether no two members may have the same value'),
  writable: flag('false: only the server sets the value, from the default'),
  filterable: flag('false: no index, no filter and no sorting'),
  multiline: flag('Whether texts with several lines are usual'),
  default: {
    description:
      'The value of a member that has none; now for the time, and user for the user, of the creation',
  },
  was: text('The former name of a renamed property'),
  ...CONSTRAINTS,
}

/** As strict as the reader: no other keys. */
const object = (keys: object, more: object = {}) => ({
  type: 'object',
  properties: keys,
  additionalProperties: false,
  ...more,
})

/** The short form of an API file as JSON Schema, for editors. Only the reader checks what depends on several places. */
export const API_FILE_SCHEMA: object = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Hydrant API file',
  ...object(FILE_KEYS, { required: ['classes'] }),
  $defs: {
    class: object(CLASS_KEYS, { type: ['object', 'null'] }),
    property: { anyOf: [ref('type'), object(PROPERTY_KEYS, { required: ['type'] })] },
    type: { anyOf: [{ enum: DATATYPE_NAMES }, { type: 'string', pattern: CLASS_NAME.source }] },
    access: object(Object.fromEntries(RULE_NAMES.map((name) => [name, ref('who')]))),
    who: {
      description: 'Roles, everyone, owner or nobody: one, or a list',
      anyOf: [{ type: 'string' }, { ...list({ type: 'string' }), minItems: 1 }],
    },
  },
}

/** What to write instead of words of other schema languages; keys are words with spaces between them. */
const hintsOf = (rows: Readonly<Record<string, string>>): Hints =>
  new Map(Object.entries(rows).flatMap(([words, hint]) => words.split(' ').map((word) => [word, hint])))

const LINK = 'a link has the name of a class as its type: { type: Author }'
export const LIST = 'a list has the type of its elements and "many: true": { type: string, many: true }'
const OBJECT = 'an object has the name of a class as its type, one with "collection: false"'
const IDS = 'every member has an id in its address; for one of your own, write { type: string, unique: true }'
const OPTIONAL = 'a member may lack whatever is not "required: true"'
const CHOICE = '{ type: string, enum: [red, green] }'
const EMAIL = '{ type: string, pattern: "^[^@ ]+@[^@ ]+$" }'

/** Hints for types: a datatype alone is what is probably meant. */
const TYPES = hintsOf({
  'int int32 int64 long bigint bigdecimal serial number.int': 'integer',
  'number money currency numeric price': 'decimal',
  real: 'double',
  bool: 'boolean',
  'str char varchar': 'string',
  'url uri iri file image upload blob binary': 'anyURI',
  'timestamp instant': 'dateTime',
  'rdf:langstring multilingual i18n translated': 'langString',
  'text longtext markdown html richtext textarea': '{ type: string, multiline: true }',
  'email e-mail': EMAIL,
  'phone tel color slug': '{ type: string, pattern: "^[0-9+ -]+$" }, with the pattern that is right',
  'uuid guid id objectid': IDS,
  'array list set collection': LIST,
  'object json map record struct dict any mixed': OBJECT,
  'enum select choice union': CHOICE,
  'ref reference link relation relationship foreignkey belongsto hasone manytoone': LINK,
  'hasmany onetomany manytomany': '{ type: Author, many: true }, with the name of the class that it links to',
})

export const PROPERTY_HINTS = hintsOf({
  'readonly immutable computed': 'write "writable: false"',
  'writeonly private hidden secret': 'whoever may read a member reads all of it; see "access" of the class',
  'max le lte': 'write "maximum" for numbers, and "maxLength" for texts',
  'min ge gte': 'write "minimum" for numbers, and "minLength" for texts',
  'length size len maxlen limit': 'write "maxLength"',
  'exclusiveminimum exclusivemaximum multipleof step': 'only "minimum" and "maximum" are checked',
  'nullable optional null': `leave it out: ${OPTIONAL}`,
  'notnull nonnull mandatory presence': 'write "required: true"',
  'array list multiple multi repeated isarray collection': 'write "many: true"',
  'minitems maxitems uniqueitems': 'a list has 0 to 1,000 values; "required: true" asks for at least one',
  'items of elements': LIST,
  'ref $ref reference references link target relation to class foreignkey': LINK,
  properties: OBJECT,
  'format email': `a format is a type, such as date, dateTime or anyURI, or a pattern: ${EMAIL}`,
  'regex regexp match matches': 'write "pattern"',
  'values options choices oneof allowed in const choice': `write "enum": ${CHOICE}`,
  'label displayname caption name': 'write "title", for people; the name is the key itself',
  'desc doc comment help example examples placeholder': 'write "description"',
  'id primarykey pk key': IDS,
  'index indexed searchable sortable filter search':
    'every property has an index; "filterable: false" is for those that need none',
  'defaultvalue initial': 'write "default"',
  'auto autogenerate autonow createdat': 'write "default: now" and "writable: false"',
  'lines rows textarea longtext text': 'write "multiline: true"',
  'rename renamedfrom formername previously': 'write "was"',
})

export const CLASS_HINTS = hintsOf({
  '': 'a property of it stands under "properties"',
  required: 'write "required: true" at each property that is',
  'fields attributes attrs columns props schema': 'write "properties"',
  'path url route endpoint plural table resource': 'write "collection"',
  'methods actions verbs': 'write "operations"',
  'embedded abstract inline': 'write "collection: false"',
  single: 'write "collection: false" and "operations"',
  type: 'leave it out: a class is always an object',
  'id primarykey key': 'leave it out: every member has an id in its address',
  additionalproperties: 'leave it out: other properties are always refused',
  'extends allof inherits subclassof parent': 'write the properties out: no class has those of another one',
  'permissions security acl auth rules roles': 'write "access"',
  'label displayname caption name': 'write "title", for people; the name is the key itself',
  'index indexes indices': 'leave it out: every property has an index',
  'unique uniques': 'write "unique: true" at the property',
})

export const FILE_HINTS = hintsOf({
  '': 'a class stands under "classes"',
  'schemas definitions $defs components models entities resources types collections tables':
    'write "classes"',
  'name info': 'write "title"',
  'version openapi swagger': 'leave it out',
  'base baseurl url host port server servers db database': 'that is a setting: hydrant serve --help',
  'auth users security authentication': 'users are added with: hydrant user add 1',
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
  'all * crud': 'leave "operations" out: a class has all of them then',
})

/** For properties that are no string. */
export const DEFAULT_HINTS = hintsOf({
  'now() current_timestamp $now today today() current_date': 'write "default: now"',
  'autoincrement auto_increment autoincrement() uuid uuid() uuidv4': `leave it out: ${IDS}`,
  'currentuser current_user $user': 'write "default: user"',
})

/** Generic types of other languages. */
const FORMS: readonly (readonly [form: RegExp, hint: (element: string) => string])[] = [
  [/^([^\s[\]]+)\[\]$/, (element) => `write { type: ${element}, many: true }`],
  [/^(?:array|list|set)<([^\s<>]+)>$/i, (element) => `write { type: ${element}, many: true }`],
  [/^([^\s?|]+)(?:\?|\|null)$/, (element) => `write ${element}; ${OPTIONAL}`],
  [/^([^\s!]+)!$/, (element) => `write { type: ${element}, required: true }`],
  [/^(?:var)?char\(([0-9]+)\)$/i, (length) => `write { type: string, maxLength: ${length} }`],
]

/** What to write instead of an unknown type. */
export function typeHint(type: string, possible: readonly string[]): string {
  for (const [form, hint] of FORMS) {
    const element = form.exec(type)?.[1]
    if (element === undefined) continue
    const meant = TYPES.get(element.toLowerCase()) ?? ''
    return hint(isDatatypeName(meant) ? meant : element)
  }
  const meant = TYPES.get(type.toLowerCase())
  if (meant === undefined) return suggestion(type, possible)
  return isDatatypeName(meant) ? `did you mean "${meant}"?` : meant.startsWith('{') ? `write ${meant}` : meant
}
