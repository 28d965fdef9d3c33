import type { Sentences } from '../../problem.ts'
import { suggestion } from '../../text.ts'
import {
  type ConflictProblems,
  type DatatypeName,
  isClassName,
  isDatatypeName,
  type KeylessKind,
  type PathRemedy,
  spellingInNfc,
} from '../../vocabulary/index.ts'

/** How to spell a name; `otherwise` where its Unicode form is right. */
function spellingHint(name: string, otherwise: string): string {
  const spelling = spellingInNfc(name)
  return spelling === undefined ? otherwise : `it must be in Unicode's form NFC, where it is "${spelling}"`
}

function classNameHint(name: string): string {
  const capitalised = name.charAt(0).toUpperCase() + name.slice(1)
  const example = isClassName(capitalised) ? capitalised : 'Book'
  return spellingHint(
    name,
    `it must be letters and digits, and begin with a capital letter, such as ${example}`,
  )
}

const PATH_REMEDIES: Readonly<Record<PathRemedy, (path: string) => string>> = {
  name: () => 'choose another name',
  collection: (path) => `choose another path, such as collection: my-${path}`,
  link: (path) => `choose another path with the IRI of its link at the entry point, such as …/my-${path}`,
}

/** Class names stand alone in a sentence; property names are in quotes. */
const shown = (kind: 'class' | 'property', name: string): string => (kind === 'class' ? name : `"${name}"`)

/** The kinds of properties without a key, in words. */
export const KINDS: Readonly<Record<KeylessKind, string>> = {
  embedded: 'an embedded value',
  languages: 'text by language',
}

const kindName = (kind: KeylessKind | DatatypeName | undefined): string =>
  kind === undefined ? 'a link' : isDatatypeName(kind) ? `a ${kind}` : KINDS[kind]

export const LINK_INSTEAD = 'give one of them a collection, so that it is linked instead of embedded'

/** Why no collection can show the members that link to a member, and what to do about it. */
const UNLISTED = {
  collection: 'has no collection; remove "reverse", or give it a collection',
  list: 'cannot be listed; remove "reverse", or add "list" to the operations',
  filter: 'cannot be filtered by it; remove "reverse" or "filterable: false"',
}

/** Sentences about conflicts between parts of a model, and about names that cannot be served. */
export const CONFLICTS: Sentences<ConflictProblems> = {
  InvalidClassName: ({ name }) => `"${name}" is not a class name; ${classNameHint(name)}`,
  ReservedClassName: ({ name }) =>
    `"${name}" is a class that every API has; ` +
    (name === 'Account'
      ? 'its members are the users: write "type: Account" to link to one, or choose another name'
      : 'choose another name'),
  DuplicateClass: ({ name }) => `there are two classes "${name}"; rename one of them`,
  CollectionClassName: ({ name, owner }) =>
    `"${name}" is the class of the collection of ${owner}; choose another name`,
  PathTaken: ({ className, path, other, remedy }) =>
    `${className} cannot be at /${path}, which is already the address of ${other}; ${PATH_REMEDIES[remedy](path)}`,
  ReservedPath: ({ className, path, remedy }) =>
    `${className} cannot be at /${path}, which is reserved for the API itself; ${PATH_REMEDIES[remedy](path)}`,
  InvalidPath: ({ path }) =>
    `"${path}" cannot be the path of a collection; ${spellingHint(
      path,
      'it must be letters, digits, ".", "_", "~" and "-", and begin with a letter or a digit, such as books',
    )}`,
  DuplicateClassIri: ({ className, other }) =>
    `${className} has the same iri as ${other}; each class needs its own`,
  FormerNameInUse: ({ kind, name, formerName }) =>
    `${shown(kind, name)} cannot have been "${formerName}", which is still a ${kind}; remove "was", or that ${kind}`,
  DuplicateFormerName: ({ kind, name, other, formerName }) =>
    `${shown(kind, name)} and ${shown(kind, other)} cannot both have been "${formerName}"; remove "was" from one of them`,
  ListOfSingle: ({ className }) =>
    `${className} has no collection, so nothing can be listed; remove "list", or give it a collection`,
  NestedTooDeep: ({ className, maxLevels }) =>
    `${className} embeds values more than ${maxLevels} levels deep; ${LINK_INSTEAD}`,
  TooManyTerms: ({ className, maxTerms }) =>
    `${className} and the values embedded in it have more than ${maxTerms} properties; ${LINK_INSTEAD}`,
  UnusedClass: ({ className }) =>
    `${className} has no collection, is the type of no property and has no operations; give it a collection, ` +
    `make it the type of a property, or give it operations to serve it at /${className}; ` +
    'where an operation of a module expects or returns it, name that module with --with',
  InvalidPropertyName: ({ name }) =>
    `"${name}" cannot be the name of a property; ${spellingHint(
      name,
      'it must be letters, digits, "_" and "-", and not begin with a digit or "-"',
    )}`,
  KeywordAsName: ({ name }) =>
    `"${name}" cannot be the name of a property: "@" begins the keywords of JSON-LD; choose another name`,
  UnprocessableName: ({ name }) =>
    `"${name}" cannot be the name of a property: JSON-LD processors in JavaScript fail on it; choose another name`,
  DuplicateProperty: ({ name }) => `there are two properties "${name}"; rename one of them`,
  IriOfType: ({ name }) => `the iri of "${name}" is that of "@type" in JSON-LD; choose another IRI`,
  DuplicatePropertyIri: ({ name, other }) =>
    `"${name}" has the same iri as "${other}"; each property of a class needs its own`,
  SchemeIsProperty: ({ name, scheme }) =>
    `the iri of "${name}" begins with "${scheme}:", which would be taken for the property "${scheme}"; rename that property, or choose another IRI`,
  ManyLanguageMaps: ({ name }) =>
    `"${name}" cannot have many values, since it has one text for each language; remove "many"`,
  MultilineUnfit: ({ name }) =>
    `"multiline" can only be used with string and langString, and "${name}" is neither; remove it`,
  UniqueList: ({ name }) => `"${name}" cannot be unique and have many values; remove "unique" or "many"`,
  UniqueWithoutKey: ({ name, kind }) =>
    `"${name}" is ${KINDS[kind]}, which cannot be unique; remove "unique"`,
  UniqueWithoutCollection: ({ className, name }) =>
    `${className} has no collection in which "${name}" could be unique; remove "unique"`,
  UniqueTogetherWithoutCollection: ({ className }) =>
    `${className} has no collection in which values could be unique; remove "unique"`,
  UniqueTogetherTooFew: ({ names }) =>
    `"unique" of a class needs two different properties or more, not [${names.join(', ')}]; ` +
    'if one alone is unique, write "unique: true" at the property',
  NoSuchProperty: ({ on, name, known }) =>
    `"${on}" names "${name}", which is not a property of the class; ` +
    (known.length === 0
      ? 'the class has none: write them below its key "properties", indented further than it'
      : suggestion(name, known)),
  LabelUnfit: ({ name, kind }) =>
    `"${name}" ${kind === 'many' ? 'has many values' : 'is an embedded value'}, and cannot name a member; ` +
    'choose a property with one text, number, date or link',
  NotFilterable: ({ name, kind }) =>
    `"${name}" is ${kindName(kind)}, which cannot be filtered by; leave "filterable" out`,
  ReverseUnlisted: ({ className, name, lacking }) =>
    `"reverse" of "${name}" would lead to members of ${className}, which ${UNLISTED[lacking]}`,
  ReverseTaken: ({ name, target, link }) =>
    `${target} has ${
      link === undefined
        ? `a property "${name}"`
        : `"${name}" for the other side of "${link.property}" of ${link.className}`
    } already; choose another name`,
}
