import { type Constraints, DATATYPE_NAMES, OPERATIONS, REMOVAL_RULES, RULE_NAMES } from '../model.ts'
import { CLASS_NAME, PROPERTY_NAME, ROLE } from '../names.ts'

/** The meaning and the values of each key, as JSON Schema. The reader uses only the keys. */
type KeySchemas = Readonly<
  Record<string, { readonly description: string; readonly [keyword: string]: unknown }>
>

const text = (description: string) => ({ description, type: 'string' })
const flag = (description: string) => ({ description, type: 'boolean' })
const ref = (name: string) => ({ $ref: `#/$defs/${name}` })
const list = (items: object) => ({ type: 'array', items, uniqueItems: true })
const mapOf = (name: RegExp, value: object) => ({
  type: ['object', 'null'],
  propertyNames: { pattern: name.source },
  additionalProperties: value,
})

export const FILE_KEYS: KeySchemas = {
  $schema: text('The address of this schema, for editors; nothing else reads it.'),
  title: text('What the API is called. Without it, the name of the file.'),
  description: text('What the API is for, in a sentence.'),
  roles: {
    description: 'The roles that users can have, for access rules: [editor, author]',
    ...list({ type: 'string', pattern: ROLE.source }),
  },
  access: { description: 'Who may do what, for every class that does not say otherwise', ...ref('access') },
  accounts: {
    description:
      'Who manages the accounts of users, who sees those of others, and who may change the own name',
    ...ref('accounts'),
  },
  history: {
    description: 'Whether members remember what they were, for every class that does not say otherwise',
    ...ref('history'),
  },
  classes: {
    description: 'What the API has: names such as Book, each with its properties',
    ...mapOf(CLASS_NAME, ref('class')),
    type: 'object',
    minProperties: 1,
  },
}

export const CLASS_KEYS: KeySchemas = {
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
  history: { description: 'Whether members of this class remember what they were', ...ref('history') },
  label: {
    description: 'The property that names a member to people, or several: [project, day]',
    anyOf: [{ type: 'string' }, { ...list({ type: 'string' }), minItems: 1 }],
  },
  plural: text('What people call the members. Without it, the plural of the words in its name.'),
  unique: {
    description: 'Properties of which no two members have all values in common: [[customer, number]]',
    ...list({ ...list({ type: 'string' }), minItems: 2 }),
  },
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
  scale: { description: 'The most digits after the point, for decimal', ...LENGTH },
} satisfies Record<keyof Constraints, KeySchemas[string]>

export const PROPERTY_KEYS: KeySchemas = {
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
  always: {
    description: 'Set by the server at every write: now for the time, user for the user of the request',
    enum: ['now', 'user'],
  },
  onDelete: {
    description:
      'What happens when the member is removed that this links to: refuse the removal, unset the value, or delete this member too',
    enum: REMOVAL_RULES,
  },
  reverse: text(
    'What a member that this links to calls the members that link to it: books, for the author of a book',
  ),
  example: {
    description: 'A value that people are shown: "2026-014"',
    type: ['string', 'number', 'boolean'],
  },
  unit: text('What a number counts, such as EUR or kg'),
  view: {
    description: 'Who may see the property, where not everyone who sees the member may',
    ...ref('who'),
  },
  write: { description: 'Who may write the property, where not everyone who sees it may', ...ref('who') },
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

/**
 * The short form of an API file as JSON Schema, for editors. Rules that involve several places are checked only by the
 * reader.
 */
export const API_FILE_SCHEMA: object = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Hydrant API file',
  ...object(FILE_KEYS, { required: ['classes'] }),
  $defs: {
    class: object(CLASS_KEYS, { type: ['object', 'null'] }),
    property: { anyOf: [ref('type'), object(PROPERTY_KEYS, { required: ['type'] })] },
    type: { anyOf: [{ enum: DATATYPE_NAMES }, { type: 'string', pattern: CLASS_NAME.source }] },
    access: object(Object.fromEntries(RULE_NAMES.map((name) => [name, ref('who')]))),
    history: {
      description: 'true, false, or how many days: 90d',
      anyOf: [{ type: 'boolean' }, { type: 'string', pattern: '^[1-9][0-9]{0,4}d$' }],
    },
    accounts: object({ manage: ref('who'), view: ref('who'), rename: ref('who') }),
    who: {
      description:
        'Roles, everyone, owner, links to accounts such as project.members, nobody, or anyone without signing in: one, or a list',
      anyOf: [{ type: 'string' }, { ...list({ type: 'string' }), minItems: 1 }],
    },
  },
}

/** Defaults of other schema languages, and their meaning here; `id`: every member has an id in its address anyway. */
export const FOREIGN_DEFAULTS: ReadonlyMap<string, 'now' | 'user' | 'id'> = new Map(
  (
    [
      ['now', 'now() current_timestamp $now today today() current_date'],
      ['id', 'autoincrement auto_increment autoincrement() uuid uuid() uuidv4'],
      ['user', 'currentuser current_user $user'],
    ] as const
  ).flatMap(([meant, words]) => words.split(' ').map((word) => [word, meant])),
)
