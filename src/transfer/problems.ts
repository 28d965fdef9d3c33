import type { JsonError } from '../json.ts'
import { Problem, type ProblemData, problemAt, problemsOf, unplacedOf, violationsOf } from '../problem.ts'
import type { DatatypeName } from '../vocabulary/index.ts'

/** Problems of data, apart from those of a request body. */
export interface ImportProblems {
  MemberTooLong: { readonly maxMebibytes: number }
  NotUtf8: object
  NotAnObject: object
  NotOneNode: object
  // CSV
  TextAfterQuote: object
  QuoteInCell: object
  OpenQuote: object
  NoHeader: object
  WrongDelimiter: { readonly delimiter: string }
  UnnamedColumn: { readonly column: number }
  UnknownColumn: { readonly className: string; readonly column: string; readonly known: readonly string[] }
  /** A column for a link, by a property that several of its targets may share. */
  ColumnNotUnique: { readonly className: string; readonly property: string; readonly link: string }
  WrongCellCount: { readonly count: number; readonly expected: number }
  /** Two columns are a value and a part of it: `address` and `address.city`. */
  ValueAndPart: { readonly value: string; readonly part: string }
  /** `flag`: the flag with which the cell can be read, if there is one. */
  InvalidCell: {
    readonly datatype: DatatypeName
    readonly cell: string
    readonly flag?: string
    readonly decimalComma?: boolean
  }
  // A JSON-LD document, or json-server's db.json
  DocumentCutOff: object
  MalformedDocument: { readonly expected: DocumentToken }
  DuplicateDocumentKey: { readonly key: string }
  DocumentTooLarge: object
  ContextTooLong: { readonly maxMebibytes: number }
  UnknownTable: { readonly name: string }
  BesideGraph: { readonly key: string }
  // The class and the id of a member
  MissingClass: { readonly known: readonly string[] }
  NotOneClass: object
  NotAClassName: object
  UnknownClass: { readonly name: string; readonly known: readonly string[] }
  NotAnAddress: { readonly base: string; readonly example: string }
  AddressOfOtherClass: { readonly className: string; readonly type: string }
  InvalidId: object
  ConflictingIds: { readonly id: string; readonly addressed: string }
  // Existing members, and links
  UnknownAccount: { readonly name: string }
  /** `property`: a unique one, of which no member has this value. */
  NoSuchTarget: { readonly className: string; readonly property: string; readonly value: string }
  OtherValues: object
  RefusedTarget: { readonly address: string; readonly line: number; readonly row?: string | undefined }
  /** `problem`: the problem of the link. */
  AddedWithoutLink: { readonly problem: ProblemData }
  // Entries of histories
  NotAnEntry: object
  NoHistoryKept: { readonly className: string }
  EntriesWithoutMember: { readonly className: string; readonly id: string }
  // Tables of a database
  UnreadTable: { readonly table: string }
  ForbiddenTable: { readonly table: string }
  UnreadColumn: { readonly table: string; readonly column: string; readonly className: string }
  // Proposing an API file
  NoTablesThere: object
  NoSchemasThere: object
  TooLargeToPropose: object
  NotTables: object
  NotOpenApi: object
  /** `reason`: in the words of the parser. */
  MalformedYaml: { readonly reason: string }
}

export interface ExportProblems {
  /** A member that was written during an export of CSV has more values than there are columns. */
  ColumnsChanged: object
}

export type DocumentToken = 'document' | 'key' | 'colon' | 'value' | 'commaOrBrace' | 'commaOrBracket' | 'end'

export const importProblem = problemsOf<ImportProblems>()
export const exportProblem = problemsOf<ExportProblems>()
export const importViolation = violationsOf<ImportProblems>()
export const cellProblem = unplacedOf<Pick<ImportProblems, 'InvalidCell'>>()

/** A file cannot be read at all, from this line on. */
export class DataError extends Problem {
  readonly line: number

  constructor(line: number, { code, values, at, violations }: Problem) {
    super(code, values, { at, violations })
    this.line = line
  }
}

/** Errors in JSON count lines from the beginning of a member; reports count lines of the file. */
export const inFile = (error: JsonError, line: number): Problem =>
  problemAt(error, { line: line + error.at.line - 1 })
