// Sentences about what a reader has completed in an API file, and what it has ignored.
import type { Sentences } from '../../problem.ts'
import { inSentence, nearest, suggestion } from '../../text.ts'
import type { CompletedNotes, DoubtfulNotes, IgnoredNotes } from '../../vocabulary/index.ts'
import { inOneLine } from './document.ts'

/** Notes that begin with a small letter follow their place in the document. */
export const COMPLETED: Sentences<CompletedNotes> = {
  TitleFromFile: ({ title }) => `The title is "${title}", the name of the file.`,
  CollectionFromName: ({ className, collection }) =>
    `The collection of ${className} is "${collection}", its plural in lower case.`,
  AllOperations: ({ className, operations }) => `${className} has all operations: ${operations.join(', ')}.`,
  NoAccessInDocument:
    'A document says nothing about access: every user may do everything, unless --access names a file with rules.',
  NoDocumentTitle: ({ title }) => `There is no title; completed: "${title}", the name of the file.`,
  UntypedDocumentation:
    'The type "ApiDocumentation" is missing; the node with "supportedClass" is taken for it.',
  NoEntryPoint: 'The entry point has no class; completed.',
  UnlistedClass: 'it is described, but not in "supportedClass"; it is read as if it were.',
  ServedUnderName: ({ written, name }) =>
    `it is ${inOneLine(written)} in the document, and served as ${name}.`,
  NoClassTitle: ({ name }) => `it has no title; completed: ${inOneLine(name)}.`,
  CollectionClassRenamed: ({ name }) => `the class of this collection is served as ${name}.`,
  UnservedLink: ({ className }) => `it is not served by itself, but with the collection of ${className}.`,
  NoOperations: 'it has no operations; it can be listed and read.',
  NoRead: 'no operation reads a member; one with the method GET would.',
  ServedAsSingle: ({ className }) => `no collection holds it; it is served as one resource at /${className}.`,
  CreatedByPut: 'no operation creates it; PUT does, as long as it does not exist.',
  NoCollectionClass: ({ className }) => `its collection has no class; completed: ${className}Collection.`,
  NoLinkFromEntryPoint: 'the entry point does not link to its collection; completed.',
  PathFromName: ({ path }) => `its collection has no path; completed: ${inOneLine(path)}.`,
  ExpectsOtherClass: ({ className, other }) =>
    `an operation expects ${other}; here it takes ${className} itself.`,
  NoOperationTitle: ({ methods }) => `the title of ${methods.join(', ')} is missing; completed.`,
  NoReturns: ({ methods }) => `"returns" of ${methods.join(', ')} is missing; completed.`,
  SharedIri: ({ other }) => `it has the IRI of "${other}", and is served under a term of its own.`,
  NeverFilled: 'nobody can write it, and it has no default; it stays empty.',
  RangeFromProperty: ({ className }) =>
    `its property is the class ${className}, which is taken for its range.`,
  NoRange: ({ datatype }) => `it has no range; completed: ${datatype}.`,
  ServedAsDatatype: ({ iri, datatype }) => `its range ${inOneLine(iri)} is served as ${datatype}.`,
  AnyResource: 'it leads to any resource; it is served as anyURI, an IRI that is not checked.',
}

/** What was perhaps not meant, and what to write if it was. */
export const DOUBTFUL: Sentences<DoubtfulNotes> = {
  NoProperties: ({ className, typed }) => {
    const names = inSentence(typed.map((key) => `"${key}"`))
    const [meant, them] =
      typed.length === 0
        ? ['it should have some', 'them']
        : typed.length === 1
          ? [`${names} should be one`, 'it']
          : [`${names} should be some`, 'them']
    return (
      `${className} has no properties. If ${meant}, write ${them} below its key "properties", indented further than it; ` +
      'if not, write "properties: {}".'
    )
  },
}

const OWN_VALUES = {
  always: 'possible: "now" for a date or dateTime, and "user" for an integer that is not required',
  onDelete: 'possible for a link: "refuse", "delete", and "unset" if it is not required',
  reverseOf: 'possible: a link to this class, of the class whose collection the property leads to',
}

/** The rest of a line that begins with "Ignored" and a place. */
export const IGNORED: Sentences<IgnoredNotes> = {
  UnusedClassIgnored: 'it has no operations and is the range of no property that is served.',
  UnknownTerms: ({ names, more }) =>
    `keys without a meaning in the context of the document: ${names.map(inOneLine).join(', ')}` +
    (more === 0 ? '.' : ` and ${more} more.`),
  UnknownHydraTerm: ({ term, where, known }) => {
    const meant = nearest(term, known)
    const hint = meant === undefined ? 'see the Hydra Core Vocabulary.' : `did you mean "hydra:${meant}"?`
    const within = where === undefined ? '' : ` in ${inOneLine(where)}`
    return `${inOneLine(`hydra:${term}`)}${within} is not a term of Hydra; ${hint}`
  },
  Inheritance: ({ iri }) => `"subClassOf" ${inOneLine(iri)}, since nothing is inherited.`,
  FurtherCollection: ({ className, path }) =>
    `${className} has the collection ${inOneLine(path)}, where all members are.`,
  SearchTemplate: 'its search template; every collection has one for all its properties.',
  LinkToNoClass: 'it leads to no class of this document.',
  OperationWithoutMethod: 'an operation without a method.',
  MethodOfCollection: ({ method }) => `${method} of a whole collection, which is not possible here.`,
  UnknownMethod: ({ method, target, known }) => {
    const meant = nearest(method, known)
    const hint = meant === undefined ? suggestion(method, known, '.') : `did you mean ${meant}?`
    return `${inOneLine(method)} is not a method of ${target}s here; ${hint}`
  },
  OperationOfProgram: 'an operation of a program; name the module that has it with --with.',
  NotReadable: 'that it cannot be read: users who read a member read all of it.',
  RequiredIgnored: 'that it is required, since nobody can write it.',
  UncheckedConstraint: ({ name }) => `"${name}", which is not checked here.`,
  DefaultIgnored: 'its default, since links, embedded values and texts by language cannot have one.',
  OwnTermIgnored: ({ term, value }) => `"${term}" ${JSON.stringify(value)}; ${OWN_VALUES[term]}.`,
}
