/** The place of a problem. Its fields depend on what was read: a body, a query, a batch, a file. */
export interface ProblemPlace {
  /** A JSON path into the values of a member, such as `author` or `lines/0/quantity`; empty for the member itself. */
  readonly property?: string
  /** The name of a query parameter, as it was sent. */
  readonly parameter?: string
  /** The index of an operation in a batch. */
  readonly operation?: number
  /** From 1. */
  readonly line?: number
  readonly column?: number
  /** A path within an API file, such as `classes.Book.properties.title`. */
  readonly path?: string
  /** The name of a setting, an option or a file. */
  readonly source?: string
}

/** A problem as data: sentences are made from it for each audience (api/problems, cli/problems). */
export interface ProblemData {
  /** Stable: clients and tests compare it. */
  readonly code: string
  readonly at: ProblemPlace
  /** The values that its sentences need. */
  readonly values: object
}

export interface ProblemDetails {
  readonly at?: ProblemPlace
  /** If there are several mistakes, each with its own place. */
  readonly violations?: readonly ProblemData[]
  readonly cause?: unknown
}

/** A problem that is thrown. Its message is only for developers: people read the sentence for their audience. */
export class Problem extends Error implements ProblemData {
  readonly code: string
  readonly at: ProblemPlace
  readonly values: object
  readonly violations: readonly ProblemData[]

  constructor(code: string, values: object, { at = {}, violations = [], cause }: ProblemDetails = {}) {
    super(code, cause === undefined ? undefined : { cause })
    this.name = 'Problem'
    this.code = code
    this.at = at
    this.values = values
    this.violations = violations
  }
}

/** The same problem, with a place that only the code that caught it knows. */
export const problemAt = ({ code, values, at, violations, cause }: Problem, place: ProblemPlace): Problem =>
  new Problem(code, values, { at: { ...at, ...place }, violations, cause })

/** Values may be left out if a sentence needs none. */
export type Arguments<Values, Details> =
  Record<never, never> extends Values
    ? [values?: Values, details?: Details]
    : [values: Values, details?: Details]

/** Creates the problems of a room: `throw problem('BodyTooLong', { maxBytes })`, checked against its codes. */
export const problemsOf =
  <Codes>() =>
  <Code extends keyof Codes & string>(
    code: Code,
    ...[values, details]: Arguments<Codes[Code], ProblemDetails>
  ): Problem =>
    new Problem(code, values ?? {}, details)

/** Creates problems at a property, which are not thrown by themselves: `violation('TooLong', 'title', { maxLength })`. */
export const violationsOf =
  <Codes>() =>
  <Code extends keyof Codes & string>(
    code: Code,
    property: string,
    ...[values]: Arguments<Codes[Code], never>
  ): ProblemData => ({ code, at: { property }, values: values ?? {} })

/** Creates problems whose place only their receiver knows: see `atProperty`. */
export const unplacedOf =
  <Codes>() =>
  <Code extends keyof Codes & string>(
    code: Code,
    ...[values]: Arguments<Codes[Code], never>
  ): ProblemData => ({
    code,
    at: {},
    values: values ?? {},
  })

/** The same problem, at a property. */
export const atProperty = ({ code, values }: ProblemData, property: string): ProblemData => ({
  code,
  at: { property },
  values,
})

/** The sentence about a problem, for one audience. */
export type Sentence<Values> = string | ((values: Values, at: ProblemPlace) => string)

/** A table of sentences, complete for all of the codes. */
export type Sentences<Codes> = { readonly [Code in keyof Codes]: Sentence<Codes[Code]> }

/** The values that the sentences of a table need: the codes of a room that has its own table. */
export type CodesOf<Table> = { readonly [Code in keyof Table]: ValuesOf<Table[Code]> }

type ValuesOf<Entry> = Entry extends { readonly sentence: infer S }
  ? ValuesOf<S>
  : Entry extends (values: infer Values, ...rest: never[]) => string
    ? Values
    : { readonly retryAfterSeconds?: number }

export const say = (sentence: Sentence<never>, { values, at }: ProblemData): string =>
  typeof sentence === 'string' ? sentence : sentence(values as never, at)
