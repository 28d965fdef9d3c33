import { suggestion } from '../../text.ts'
import { isDatatypeName } from '../datatypes.ts'

/** What to write instead of what people write from habit: words of other schema languages, without regard to case. */
type Hints = ReadonlyMap<string, string>

/** By the words that it is for, with blanks between them. */
const hints = (rows: Readonly<Record<string, string>>): Hints =>
  new Map(Object.entries(rows).flatMap(([words, hint]) => words.split(' ').map((word) => [word, hint])))

const LINK = 'a link has the name of a class as its type: { type: Author }'
export const LIST = 'a list has the type of its elements and "many: true": { type: string, many: true }'
const OBJECT = 'an object has the name of a class as its type, one with "collection: false"'
const IDS = 'every member has an id in its address; for one of your own, write { type: string, unique: true }'
const OPTIONAL = 'a member may lack whatever is not "required: true"'
const CHOICE = '{ type: string, enum: [red, green] }'
const EMAIL = '{ type: string, pattern: "^[^@ ]+@[^@ ]+$" }'

/** A datatype alone is what is probably meant. */
const TYPES = hints({
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

export const PROPERTY_HINTS = hints({
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

export const CLASS_HINTS = hints({
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

export const FILE_HINTS = hints({
  'schemas definitions $defs components models entities resources types collections tables':
    'write "classes"',
  'name info': 'write "title"',
  'version openapi swagger': 'leave it out',
  'base baseurl url host port server servers db database': 'that is a setting: hydrant serve --help',
  'auth users security authentication': 'users are added with: hydrant user add 1',
  'permissions acl rules': 'write "access"',
})

export const OPERATION_HINTS = hints({
  get: 'write "read" for a member, and "list" for the collection',
  'post add insert': 'write "create"',
  put: 'write "replace"',
  'patch edit change': 'write "update"',
  'remove destroy': 'write "delete"',
  'index query search': 'write "list"',
  'show view find': 'write "read"',
  'all * crud': 'leave "operations" out: a class has all of them then',
})

/** Where they are no text that could be meant. */
export const DEFAULT_HINTS = hints({
  'now() current_timestamp $now today today() current_date': 'write "default: now"',
  'autoincrement auto_increment autoincrement() uuid uuid() uuidv4': `leave it out: ${IDS}`,
  'currentuser current_user $user': 'write "default: user"',
})

/** What to write instead of a word, or the nearest of what is possible. */
export const hintFor = (word: string, table: Hints, possible: readonly string[]): string =>
  table.get(word.toLowerCase()) ?? suggestion(word, possible)

/** Types of other languages that are made of another type. */
const FORMS: readonly (readonly [form: RegExp, hint: (element: string) => string])[] = [
  [/^([^\s[\]]+)\[\]$/, (element) => `write { type: ${element}, many: true }`],
  [/^(?:array|list|set)<([^\s<>]+)>$/i, (element) => `write { type: ${element}, many: true }`],
  [/^([^\s?|]+)(?:\?|\|null)$/, (element) => `write ${element}; ${OPTIONAL}`],
  [/^([^\s!]+)!$/, (element) => `write { type: ${element}, required: true }`],
  [/^(?:var)?char\(([0-9]+)\)$/i, (length) => `write { type: string, maxLength: ${length} }`],
]

/** What to write instead of a type that there is not. */
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
