import { readProblem } from '../api/index.ts'
import { isViolation, violationSentence } from '../api/problems/values.ts'
import { Problem, type ProblemData, type Sentences, say } from '../problem.ts'
import { show, suggestion } from '../text.ts'
import type { DatatypeName } from '../vocabulary/index.ts'
import { type DocumentToken, type ImportProblems, importViolation } from './problems.ts'
import type { UnreadPart } from './tables/schema.ts'

const DOCUMENT_TOKENS: Readonly<Record<DocumentToken, string>> = {
  document: 'a document',
  key: 'a key',
  colon: 'a colon',
  value: 'a value',
  commaOrBrace: 'a comma or "}"',
  commaOrBracket: 'a comma or "]"',
  end: 'the end of the document',
}

/** As a cell is written, which has no quotes around a decimal. */
const CELLS: Partial<Readonly<Record<DatatypeName, string>>> = {
  boolean: 'true or false',
  date: 'a date such as 2026-12-31',
  decimal: 'a decimal such as 12.50',
  double: 'a number such as 12.5',
  float: 'a number such as 12.5',
}

/**
 * Stands here and not in the command line's table: importing and proposing can be used without the command line, and a
 * sentence about a link refers to those of the wire, which stand below.
 */
export const IMPORT_SENTENCES: Sentences<ImportProblems> = {
  MemberTooLong: ({ maxMebibytes }) => `This member has more than ${maxMebibytes} MiB; make it smaller.`,
  NotUtf8:
    'This is not valid text in the encoding of the file; save the file as UTF-8, or give its encoding, usually --encoding latin1.',
  NotAnObject: 'This must be one JSON object, the member itself.',
  NotAnEntry: 'This is not an entry of a history, as an export with --history writes it.',
  NoHistoryKept: ({ className }) =>
    `The API file keeps no history of ${className}; write "history: true" there, or export without --history.`,
  EntriesWithoutMember: ({ className, id }) =>
    `The history of ${className} ${show(id)} ends before it was deleted, and no such member follows; put its line after its entries.`,
  NotOneNode: 'This must be one node of linked data, the member itself.',
  TextAfterQuote: 'After a closing quote there must be a comma or the end of the line.',
  QuoteInCell: 'A cell with a quote in it must be in quotes, and the quote doubled.',
  OpenQuote: 'A quote is opened and not closed; close it, or double it within a cell.',
  NoHeader: 'there is no header; begin the file with a line of column names.',
  WrongDelimiter: ({ delimiter }) =>
    `The header has ${JSON.stringify(delimiter)} and no comma; save the file with commas between the cells.`,
  UnnamedColumn: ({ column }) => `Column ${column} has no name in the header; give it one.`,
  UnknownColumn: ({ className, column, known }) =>
    `is not a property of ${className}; ${suggestion(column, known, '.')}`,
  ColumnNotUnique: ({ className, property, link }) =>
    `does not say which ${className} is meant, because ${property} is not unique there; write "unique: true" at it ` +
    `in the API file, or give ids in a column "${link}".`,
  WrongCellCount: ({ count, expected }) =>
    `This line has ${count} cells, but the header has ${expected}; give one for each column.`,
  ValueAndPart: ({ value, part }) =>
    `"${value}" has a value, and so has its part "${part}"; leave one of the two cells empty.`,
  InvalidCell: ({ datatype, cell, flag, decimalComma = false }) => {
    const expected = CELLS[datatype] ?? 'an integer such as 12'
    return (
      `must be ${decimalComma ? expected.replace('.', ',') : expected}, not ${show(cell)}` +
      (flag === undefined ? '.' : `; if all of them are written this way, add ${flag}.`)
    )
  },
  DocumentCutOff: 'The document is cut off: it ends before its JSON does.',
  MalformedDocument: ({ expected }) => `This is not JSON: ${DOCUMENT_TOKENS[expected]} is expected here.`,
  DuplicateDocumentKey: ({ key }) => `The key "${key}" is in the document twice; keep one of them.`,
  DocumentTooLarge:
    'This JSON-LD has more than 64 MiB and cannot be read piece by piece: make it an object whose ' +
    '"@context" comes before its "@graph", and its members the elements of that, or use NDJSON.',
  ContextTooLong: ({ maxMebibytes }) => `The context has more than ${maxMebibytes} MiB; make it smaller.`,
  UnknownTable: ({ name }) =>
    `${JSON.stringify(name)} is not a collection of this API; add it to the API file, or leave it out.`,
  BesideGraph: ({ key }) =>
    `${JSON.stringify(key)} is beside "@graph", where it belongs to no member; leave it out.`,
  MissingClass: ({ known }) => `is missing; name the class: ${known.join(', ')}.`,
  NotOneClass: 'must name one class, not several.',
  NotAClassName: 'must be the name of a class.',
  UnknownClass: ({ name, known }) =>
    `${JSON.stringify(name)} is not a class of this API; ${suggestion(name, known, '.')}`,
  NotAnAddress: ({ base, example }) =>
    `must be the address of a member below ${base} (see --base-url), such as ${example}; or be left out.`,
  AddressOfOtherClass: ({ className, type }) =>
    `is the address of a member of ${className}, and "@type" says ${type}; correct one of them.`,
  InvalidId: 'must be 1 to 128 letters, digits, ".", "_", "~" and "-"; or be left out.',
  ConflictingIds: ({ id, addressed }) =>
    `is ${JSON.stringify(id)}, and "@id" says ${JSON.stringify(addressed)}; leave one of them out.`,
  UnknownAccount: ({ name }) =>
    `must be the id or the name of a user, or the address of an account; nobody is called ${show(name)}.`,
  NoSuchTarget: ({ className, property, value }) =>
    `no ${className} has the ${property} ${show(value)}; correct it, or import that ${className} first.`,
  OtherValues:
    'is that of a member that exists already with other values; change that member, or give another "@id".',
  RefusedTarget: ({ address, line, row = `line ${line}` }) =>
    `links to ${address}, which was refused (${row}).`,
  AddedWithoutLink: ({ problem }) =>
    `${sentenceWithoutPlace(problem)} The member was added without this link.`,
  UnreadTable: ({ table }) => `${table} is not imported: the API file has no class for it.`,
  ForbiddenTable: ({ table }) =>
    `${table} is not imported: the user of the address may not read it; grant that right: GRANT SELECT ON ${table} TO …`,
  UnreadColumn: ({ table, column, className }) =>
    `${table}.${column} is not imported: ${className} has no property for it.`,
  NoTablesThere:
    'it has no tables that can be read; name another database, or another schema of PostgreSQL with ?search_path=<name>.',
  NoSchemasThere:
    'no operation in it returns an object that a schema describes; name a document whose responses have such schemas.',
  TooLargeToPropose: 'it has more than 64 MiB; propose from a part of it.',
  NotOpenApi:
    'it must be an OpenAPI document of version 3.0 or 3.1, which its key "openapi" says; convert one of an older version first.',
  MalformedYaml: ({ reason }) => `it is not YAML: ${reason}`,
  NotTables: 'it must be an object of collections, each a list of members, like the db.json of json-server.',
}

/** What is not imported, and why. */
export const unreadSentence = ({ table, column, className, isForbidden }: UnreadPart): string =>
  sentenceWithoutPlace(
    column === undefined || className === undefined
      ? importViolation(isForbidden ? 'ForbiddenTable' : 'UnreadTable', '', { table })
      : importViolation('UnreadColumn', '', { table, column, className }),
  )

/** The sentence for a problem of data, which begins with its property. */
export const importSentence = (problem: ProblemData): string =>
  (problem.at.property ? `${problem.at.property}: ` : '') + sentenceWithoutPlace(problem)

function sentenceWithoutPlace(problem: ProblemData): string {
  const { code, values, at } = problem
  if (Object.hasOwn(IMPORT_SENTENCES, code))
    return say(IMPORT_SENTENCES[code as keyof ImportProblems] as never, problem)
  if (isViolation(code)) return violationSentence(problem)
  return readProblem(new Problem(code, values, { at })).sentence
}

/** Whether the server, and not the data, has caused it: the database is away, or the JSON-LD processor is busy. */
export function isOfServer(problem: Problem): boolean {
  if (problem.violations.length > 0 || Object.hasOwn(IMPORT_SENTENCES, problem.code)) return false
  return readProblem(problem).status >= 500
}

/** All that is wrong with a member, each with its place. */
export const problemsIn = (problem: Problem): readonly ProblemData[] =>
  problem.violations.length > 0 ? problem.violations : [problem]
