// Reads the conditions of CHECK constraints that the constraints of an API file can express.

/** What a condition says about one column. */
export interface ColumnCondition {
  readonly column: string
  readonly choices?: readonly (string | number)[]
  readonly minimum?: number
  readonly maximum?: number
  /** ColumnBounds that are no values themselves. */
  readonly above?: number
  readonly below?: number
  readonly minLength?: number
  readonly maxLength?: number
}

interface SqlToken {
  readonly kind: 'text' | 'name' | 'word' | 'number' | 'sign'
  readonly value: string
}

/** A text or a comment that is not closed goes to the end. */
const TOKENS =
  /\s+|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|('(?:[^']|'')*'?)|("(?:[^"]|"")*"?|`[^`]*`?|\[[A-Za-z_][^\]]*\]?)|([0-9]+(?:\.[0-9]+)?)|([\p{L}_][\p{L}\p{N}_$]*)|(::|<=|>=|<>|!=|\|\||[\s\S])/gu

export function sqlTokens(sql: string): SqlToken[] {
  return [...sql.matchAll(TOKENS)].flatMap(([, text, name, number, word, sign]): SqlToken[] => {
    if (text !== undefined) return [{ kind: 'text', value: text.slice(1, -1).replaceAll("''", "'") }]
    if (name !== undefined) return [{ kind: 'name', value: name.slice(1, -1).replaceAll('""', '"') }]
    if (number !== undefined) return [{ kind: 'number', value: number }]
    if (word !== undefined) return [{ kind: 'word', value: word }]
    return sign === undefined ? [] : [{ kind: 'sign', value: sign }]
  })
}

const isWord = (token: SqlToken | undefined, word: string): boolean =>
  token?.kind === 'word' && token.value.toUpperCase() === word

const isSign = (token: SqlToken | undefined, sign: string): boolean =>
  token?.kind === 'sign' && token.value === sign

/** The conditions of all CHECK constraints in a CREATE TABLE statement. */
export function checksIn(createTable: string): string[] {
  const found: string[] = []
  let wasCheck = false
  let depth = 0
  let start = 0
  for (const { 0: token, index } of createTable.matchAll(TOKENS)) {
    if (/^\s/.test(token)) continue
    if (depth > 0) {
      if (token === '(') depth++
      if (token === ')') depth--
      if (depth === 0) found.push(createTable.slice(start, index))
    } else if (wasCheck && token === '(') {
      depth = 1
      start = index + 1
    }
    wasCheck = token.toUpperCase() === 'CHECK'
  }
  return found
}

/** What a condition says; undefined if an API file cannot say it. */
export function readCondition(sql: string): ColumnCondition | undefined {
  const tokens = withoutCasts(sqlTokens(sql)).filter((token) => !isSign(token, '(') && !isSign(token, ')'))
  // Without parentheses, only conditions that need none can be told apart.
  const [column, is, nothing, or] = tokens
  const rest = isWord(is, 'IS') && isWord(nothing, 'NULL') && isWord(or, 'OR') ? tokens.slice(4) : tokens
  const parts = splitAnd(rest).map(readPart)
  const [first] = parts
  if (first === undefined || column === undefined) return undefined
  const merged: Record<string, unknown> = {}
  for (const part of parts) {
    if (part === undefined || part.column !== first.column) return undefined
    for (const [key, value] of Object.entries(part)) {
      if (key !== 'column' && key in merged) return undefined
      merged[key] = value
    }
  }
  return merged as unknown as ColumnCondition
}

/** Without `::character varying(20)[]`, which PostgreSQL writes after constants. */
function withoutCasts(tokens: readonly SqlToken[]): SqlToken[] {
  const kept: SqlToken[] = []
  for (let at = 0; at < tokens.length; at++) {
    if (!isSign(tokens[at], '::')) {
      kept.push(tokens[at] as SqlToken)
      continue
    }
    // The name of a type has several words: "timestamp without time zone".
    while (isTypeName(tokens[at + 1])) at++
    if (isSign(tokens[at + 1], '(') && tokens[at + 2]?.kind === 'number')
      while (!isSign(tokens[at], ')') && at < tokens.length) at++
    while (isSign(tokens[at + 1], '[') && isSign(tokens[at + 2], ']')) at += 2
  }
  return kept
}

const isTypeName = (token: SqlToken | undefined): boolean =>
  (token?.kind === 'word' && !/^(?:AND|OR|IN|IS|NOT|BETWEEN)$/i.test(token.value)) || token?.kind === 'name'

/** The parts of a conjunction; the AND of BETWEEN belongs to it. */
function splitAnd(tokens: readonly SqlToken[]): SqlToken[][] {
  const parts: SqlToken[][] = [[]]
  let isBetween = false
  for (const token of tokens) {
    if (isWord(token, 'AND') && !isBetween) parts.push([])
    else {
      if (isWord(token, 'AND')) isBetween = false
      if (isWord(token, 'BETWEEN')) isBetween = true
      parts.at(-1)?.push(token)
    }
  }
  return parts
}

const LENGTHS = ['LENGTH', 'CHAR_LENGTH', 'CHARACTER_LENGTH']

function readPart(tokens: readonly SqlToken[]): ColumnCondition | undefined {
  const isLength = tokens[0]?.kind === 'word' && LENGTHS.includes(tokens[0].value.toUpperCase())
  const [column, operator, ...operands] = isLength && tokens.length > 3 ? tokens.slice(1) : tokens
  if (column === undefined || (column.kind !== 'word' && column.kind !== 'name')) return undefined
  const about = { column: column.value }
  if (!isLength && (isWord(operator, 'IN') || isSign(operator, '='))) {
    const choices = readChoices(isWord(operator, 'IN') ? operands : elementsOf(operands))
    return choices && { ...about, choices }
  }
  const bounds = readBounds(operator, operands)
  if (bounds === undefined) return undefined
  const { minimum, maximum, above, below } = bounds
  if (!isLength) return { ...about, ...bounds }
  if (above !== undefined || below !== undefined) return undefined
  return {
    ...about,
    ...(minimum !== undefined && { minLength: minimum }),
    ...(maximum !== undefined && { maxLength: maximum }),
  }
}

/** `ANY (ARRAY['a', 'b'])`, as PostgreSQL writes IN; or one value. */
function elementsOf(tokens: readonly SqlToken[]): readonly SqlToken[] {
  const isArray = isWord(tokens[0], 'ANY') && isWord(tokens[1], 'ARRAY') && isSign(tokens[2], '[')
  return isArray && isSign(tokens.at(-1), ']') ? tokens.slice(3, -1) : tokens
}

/** Constants with commas between them; null says nothing. */
function readChoices(tokens: readonly SqlToken[]): (string | number)[] | undefined {
  const choices: (string | number)[] = []
  for (let at = 0; at < tokens.length; at++) {
    const isNegative = isSign(tokens[at], '-')
    const token = tokens[isNegative ? ++at : at]
    if (token?.kind === 'number') choices.push(Number(token.value) * (isNegative ? -1 : 1))
    else if (token?.kind === 'text' && !isNegative) choices.push(token.value)
    else if (!isWord(token, 'NULL')) return undefined
    if (at + 1 < tokens.length && !isSign(tokens[++at], ',')) return undefined
  }
  return choices.length === 0 ? undefined : [...new Set(choices)]
}

type ColumnBounds = Pick<ColumnCondition, 'minimum' | 'maximum' | 'above' | 'below'>

const BOUNDS: Readonly<Record<string, keyof ColumnBounds>> = {
  '>=': 'minimum',
  '<=': 'maximum',
  '>': 'above',
  '<': 'below',
}

function readBounds(operator: SqlToken | undefined, operands: readonly SqlToken[]): ColumnBounds | undefined {
  if (isWord(operator, 'BETWEEN')) {
    const and = operands.findIndex((token) => isWord(token, 'AND'))
    const [minimum, maximum] = [readNumber(operands.slice(0, and)), readNumber(operands.slice(and + 1))]
    return and < 0 || minimum === undefined || maximum === undefined ? undefined : { minimum, maximum }
  }
  const bound = readNumber(operands)
  const key = operator?.kind === 'sign' ? BOUNDS[operator.value] : undefined
  return bound === undefined || key === undefined ? undefined : { [key]: bound }
}

/** The digits that a number keeps. */
function readNumber([first, second, ...more]: readonly SqlToken[]): number | undefined {
  const isNegative = isSign(first, '-')
  const token = isNegative ? second : first
  if (token?.kind !== 'number' || token.value.length > 15) return undefined
  if (more.length > 0 || (!isNegative && second !== undefined)) return undefined
  return Number(token.value) * (isNegative ? -1 : 1)
}

/** The value of an expression that is a constant: `'open'::text`, `-1`, `true`; undefined for any other. */
export function readConstant(sql: string): string | number | boolean | undefined {
  const tokens = withoutCasts(sqlTokens(sql)).filter((token) => !isSign(token, '(') && !isSign(token, ')'))
  const [only, ...more] = tokens
  if (only?.kind === 'text' && more.length === 0) return only.value
  if (isWord(only, 'TRUE') || isWord(only, 'FALSE'))
    return more.length === 0 ? isWord(only, 'TRUE') : undefined
  return readNumber(tokens)
}
