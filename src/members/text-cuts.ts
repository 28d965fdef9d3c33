import type { Class } from '../vocabulary/index.ts'
import type { TextRanges } from './member.ts'

/**
 * The properties that a member has in a response, by name, each with the properties of its embedded or linked value. An
 * empty tree stands for everything.
 */
export type FieldTree = ReadonlyMap<string, FieldTree>

export const ALL_FIELDS: FieldTree = new Map()

/** Everything that one of the trees asks for. */
export function joinFields(trees: readonly FieldTree[]): FieldTree {
  if (trees.length === 1) return trees[0] as FieldTree
  const joined = new Map<string, FieldTree>()
  for (const tree of trees) {
    if (tree.size === 0) return ALL_FIELDS
    for (const [name, within] of tree) {
      const known = joined.get(name)
      joined.set(name, known === undefined ? within : joinFields([known, within]))
    }
  }
  return joined
}

/** Finds the ranges of a stored text that are left out. */
export type FindCuts = (body: string) => TextRanges

const NOTHING: ReadonlySet<string> = new Set()

/**
 * Leaves only `fields` of a member, and none of the `hidden` properties. Its text is walked from property to property and
 * never parsed: writeMember wrote it, so properties are in the order of the class, each with a comma before it, and an
 * embedded value begins with its type.
 */
export function createFindCuts(cls: Class, fields: FieldTree, hidden = NOTHING): FindCuts {
  const steps = stepsOf(cls, fields, hidden)
  const last = steps.findLastIndex(({ isKept, within }) => !isKept || within !== undefined)
  const walked = steps.slice(0, last + 1)
  const secrets = steps.filter(({ name }) => hidden.has(name)).map(({ key }) => key)
  return (body) => {
    const cuts: number[] = []
    if (walked.length === 0) return cuts
    const text = { body, cuts, at: 0 }
    walk(walked, text, true)
    if (text.at < body.length && secrets.some((key) => body.includes(key, text.at)))
      return findInAnyOrder(steps, body)
    return cuts
  }
}

/**
 * For a text in another order than that of the class: a host with a later API file may have written it. What is not known
 * here may be hidden there, so it is left out.
 */
function findInAnyOrder(steps: readonly TextStep[], body: string): TextRanges {
  const byKey = new Map(steps.map((step) => [step.key, step]))
  const text: TextWalk = { body, cuts: [], at: 0 }
  while (body.charCodeAt(text.at) === COMMA) {
    const from = text.at
    const value = endOfString(body, from + 1) + 1
    const step = byKey.get(body.slice(from, value))
    if (step === undefined) {
      text.at = endOfValue(body, value)
      cut(text.cuts, from, text.at)
    } else walk([{ ...step, isLastKept: false }], text, false)
  }
  return text.cuts
}

/** A property in the text of a member. */
interface TextStep {
  readonly name: string
  /** The text before its value. */
  readonly key: string
  readonly isKept: boolean
  /** Whether its values are links, whose paths have neither quotes nor brackets. */
  readonly isLink: boolean
  /** The properties of an embedded value that is kept in part. */
  readonly within: readonly TextStep[] | undefined
  /** Whether no later property of the class is kept. */
  readonly isLastKept: boolean
}

function stepsOf({ properties }: Class, fields: FieldTree, hidden = NOTHING): readonly TextStep[] {
  const isKept = (name: string) => !hidden.has(name) && (fields.size === 0 || fields.has(name))
  const lastKept = properties.findLastIndex(({ name }) => isKept(name))
  return properties.map(({ name, range }, index) => {
    const shown = isKept(name) ? fields.get(name) : undefined
    const isPart = range.kind === 'embedded' && shown !== undefined && shown.size > 0
    return {
      name,
      key: `,${JSON.stringify(name)}:`,
      isKept: isKept(name),
      isLink: range.kind === 'link',
      within: isPart ? stepsOf(range.cls, shown) : undefined,
      isLastKept: index >= lastKept,
    }
  })
}

interface TextWalk {
  readonly body: string
  readonly cuts: number[]
  at: number
}

/** Walks over properties. `isWhole`: whether the text ends with them, so that the rest can be left out at once. */
function walk(steps: readonly TextStep[], text: TextWalk, isWhole: boolean): void {
  const { body, cuts } = text
  for (const { key, isKept, isLink, within, isLastKept } of steps) {
    const from = text.at
    if (isWhole && !isKept && isLastKept) {
      cut(cuts, from, body.length)
      text.at = body.length
      return
    }
    if (!body.startsWith(key, from)) continue
    text.at += key.length
    if (within !== undefined) walkEmbedded(within, text)
    else text.at = isLink ? endOfLinks(body, text.at) : endOfValue(body, text.at)
    if (!isKept) cut(cuts, from, text.at)
  }
}

/** Walks over an embedded value, or a list of them. */
function walkEmbedded(steps: readonly TextStep[], text: TextWalk): void {
  const { body } = text
  const isList = body.charCodeAt(text.at) === OPEN_LIST
  if (isList) text.at += 1
  while (body.charCodeAt(text.at) === OPEN_OBJECT) {
    text.at = endOfString(body, text.at + TYPE.length)
    walk(steps, text, false)
    text.at += isList && body.charCodeAt(text.at + 1) === COMMA ? 2 : 1
  }
  if (isList) text.at += 1
}

function cut(cuts: number[], from: number, to: number): void {
  if (from === to) return
  if (cuts.at(-1) === from) cuts[cuts.length - 1] = to
  else cuts.push(from, to)
}

const TYPE = '{"@type":'
const [COMMA, QUOTE, BACKSLASH] = [0x2c, 0x22, 0x5c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

function endOfLinks(body: string, start: number): number {
  const end = body.indexOf(body.charCodeAt(start) === OPEN_LIST ? ']' : '"', start + 1)
  return end < 0 ? body.length : end + 1
}

/** Where the JSON value that begins at `start` ends. */
function endOfValue(body: string, start: number): number {
  let depth = 0
  let at = start
  do {
    const code = body.charCodeAt(at)
    if (code === QUOTE) at = endOfString(body, at)
    else {
      if (code === OPEN_LIST || code === OPEN_OBJECT) depth += 1
      else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1
      at += 1
      if (depth === 0 && code !== CLOSE_LIST && code !== CLOSE_OBJECT) return endOfPlain(body, at)
    }
  } while (depth > 0 && at < body.length)
  return at
}

/** A short text is walked faster than it is searched. */
const SHORT = 40

function endOfString(body: string, start: number): number {
  let at = start + 1
  for (const end = at + SHORT; at < end; at += 1) {
    const code = body.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code === BACKSLASH) at += 1
  }
  for (;;) {
    const quote = body.indexOf('"', at)
    if (quote < 0) return body.length
    if (!isEscaped(body, at, quote)) return quote + 1
    at = quote + 1
  }
}

/** Whether a quote belongs to its text, which is walked from `from`: it has an odd number of backslashes before it. */
function isEscaped(body: string, from: number, quote: number): boolean {
  let before = quote
  while (before > from && body.charCodeAt(before - 1) === BACKSLASH) before -= 1
  return (quote - before) % 2 === 1
}

/** Where a number, or a name such as `true`, ends. */
function endOfPlain(body: string, start: number): number {
  let at = start
  while (at < body.length) {
    const code = body.charCodeAt(at)
    if (code === COMMA || code === CLOSE_LIST || code === CLOSE_OBJECT) return at
    at += 1
  }
  return at
}
