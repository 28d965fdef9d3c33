import {
  type Document,
  isAlias,
  isCollection,
  isPair,
  isScalar,
  type Node,
  visit,
  type YAMLParseError,
} from 'yaml'
import type { FileProblem } from '../file-problems.ts'
import { findJoinedBracket } from './joined-value.ts'

/** What is wrong, and where in the text. */
type PlacedProblem = FileProblem & { readonly offset: number }

interface Mistake {
  readonly text: string
  readonly document: Document.Parsed
  /** Where the parser stopped. */
  readonly offset: number
  /** The first character after that which is not white space. */
  readonly start: number
}

type Explanation = (mistake: Mistake) => PlacedProblem | undefined

/**
 * What an error of the parser means in an API file. The parser's own messages are for people who know the grammar of YAML;
 * they remain for what hardly anyone writes.
 */
export function explainSyntaxError(
  text: string,
  document: Document.Parsed,
  { code, pos, message }: YAMLParseError,
): PlacedProblem {
  const [offset] = pos
  const blank = /\s*/y
  blank.lastIndex = offset
  blank.test(text)
  const mistake = { text, document, offset, start: blank.lastIndex }
  const explained = missingSpace(mistake) ?? EXPLANATIONS[code]?.(mistake)
  return explained ?? { code: 'InvalidYaml', values: { reason: message }, offset }
}

const unevenIndentation: Explanation = ({ start }) => ({
  code: 'UnevenIndentation',
  values: {},
  offset: start,
})
const missingColon: Explanation = ({ start }) => ({ code: 'MissingColon', values: {}, offset: start })
const missingComma: Explanation = ({ start }) => ({ code: 'MissingComma', values: {}, offset: start })
const tabAsIndentation: Explanation = ({ offset }) => ({ code: 'TabAsIndentation', values: {}, offset })
const unknownEscape: Explanation = ({ offset }) => ({ code: 'UnknownEscape', values: {}, offset })
const secondDocument: Explanation = ({ offset }) => ({ code: 'SecondDocument', values: {}, offset })

const specialStart: Explanation = ({ text, start }) => ({
  code: 'SpecialStart',
  values: { character: text.charAt(start) },
  offset: start,
})

const listElement: Explanation = ({ text, start }) =>
  /^-\s/.test(text.slice(start, start + 2))
    ? { code: 'MisplacedElement', values: {}, offset: start }
    : undefined

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' }
const OPENING: Readonly<Record<string, string>> = { '}': '{', ']': '[' }

const unopenedBracket: Explanation = ({ text, start }) => {
  const closing = text.charAt(start)
  const opening = OPENING[closing]
  return opening === undefined
    ? undefined
    : { code: 'UnopenedBracket', values: { opening, closing }, offset: start }
}

const unclosedBracket: Explanation = ({ text, document, offset }) => {
  const found = findNode(document, (node) => isFlow(node) && endOf(node) === offset && !isClosed(node, text))
  if (found === undefined) return undefined
  const opening = text.charAt(startOf(found))
  return {
    code: 'UnclosedBracket',
    values: { opening, closing: CLOSING[opening] ?? '' },
    offset: startOf(found),
  }
}

/** The bracket at the end may be that of the last entry. */
function isClosed(node: Node, text: string): boolean {
  const last = isCollection(node) ? node.items.at(-1) : undefined
  const isOfEntry = endOf(isPair(last) ? last.value : last) === endOf(node)
  return !isOfEntry && text.charAt(endOf(node) - 1) === CLOSING[text.charAt(startOf(node))]
}

/** A text that is not closed on its line takes the next lines, up to another quote. */
const unclosedQuote: Explanation = ({ text, document, offset, start }) => {
  const isEnd = (node: Node) => isQuoted(node) && endOf(node) === offset
  const from = QUOTES.includes(text.charAt(start)) ? start : startOf(findNode(document, isEnd))
  const quote = text.charAt(from)
  const [line = ''] = text.slice(from + 1, from + LONGEST_LINE).split('\n', 1)
  if (from < 0 || line.includes(quote)) return undefined
  return { code: 'UnclosedQuote', values: { quote }, offset: from }
}

/** The value goes on after its end: text in quotes, or a text that begins with `*` and so is an alias. */
const textAfterValue: Explanation = ({ text, document, start }) => {
  const before = findNode(document, (node) => endOf(node) <= start && (isQuoted(node) || isAlias(node)))
  if (before === undefined || text.slice(endOf(before), start).trim() !== '') return undefined
  if (isAlias(before)) return specialStart({ text, document, offset: start, start: startOf(before) })
  return { code: 'TextAfterQuote', values: {}, offset: start }
}

const commaAlone: Explanation = ({ text, start }) =>
  text.charAt(start) === ',' ? { code: 'EmptyEntry', values: {}, offset: start } : undefined

const joinedComment: Explanation = ({ text, start }) =>
  text.charAt(start) === '#' ? { code: 'JoinedComment', values: {}, offset: start } : undefined

/** What follows is wrong for YAML only because `title:{ type` is a name to it; within brackets, it is not. */
const missingSpace: Explanation = ({ text, document, start }) => {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const offset = from + text.slice(from).search(/[^ ]/)
  const joined = findJoinedBracket(text.slice(offset, offset + LONGEST_LINE))
  if (joined === undefined || findNode(document, isFlowAround(offset))) return undefined
  return { code: 'MissingSpace', values: joined, offset }
}

/** A map within a value: two keys on one line, or a line that is indented below a value. */
const mapInValue: Explanation = ({ text, document, offset, start }) => {
  const end = text.indexOf('\n', start)
  const line = end < 0 ? text.slice(start) : text.slice(start, end)
  if (line.startsWith('? ')) return specialStart({ text, document, offset, start })
  if (/:(?:\s|$)/.test(line)) return { code: 'SecondColon', values: {}, offset: start }
  return { code: 'ContinuedValue', values: {}, offset: end + 1 + text.slice(end + 1).search(/\S/) }
}

const inFlow =
  (explain: Explanation): Explanation =>
  (mistake) => {
    const { document, start } = mistake
    return findNode(document, isFlowAround(start)) && explain(mistake)
  }

/** The first explanation that applies. */
const firstOf =
  (...explanations: readonly Explanation[]): Explanation =>
  (mistake) => {
    for (const explain of explanations) {
      const found = explain(mistake)
      if (found !== undefined) return found
    }
    return undefined
  }

/** One code of the parser has several causes, which the text tells apart. */
const EXPLANATIONS: Partial<Record<YAMLParseError['code'], Explanation>> = {
  BAD_ALIAS: specialStart,
  BAD_DQ_ESCAPE: unknownEscape,
  BAD_INDENT: firstOf(unclosedBracket, unevenIndentation),
  BAD_SCALAR_START: specialStart,
  BLOCK_AS_IMPLICIT_KEY: firstOf(listElement, mapInValue),
  BLOCK_IN_FLOW: firstOf(listElement, missingComma),
  MISSING_CHAR: firstOf(unclosedQuote, unclosedBracket, joinedComment, inFlow(missingComma), missingColon),
  MULTILINE_IMPLICIT_KEY: firstOf(unclosedQuote, listElement, inFlow(missingComma), missingColon),
  MULTIPLE_DOCS: secondDocument,
  TAB_AS_INDENT: tabAsIndentation,
  UNEXPECTED_TOKEN: firstOf(commaAlone, unopenedBracket, listElement, inFlow(missingComma), textAfterValue),
}

const QUOTES: readonly string[] = ['"', "'"]
const LONGEST_LINE = 2_000

/** `{…}` or `[…]`. */
const isFlow = (node: Node): boolean => isCollection(node) && node.flow === true

const isFlowAround =
  (offset: number) =>
  (node: Node): boolean =>
    isFlow(node) && startOf(node) < offset && offset < endOf(node)

const isQuoted = (node: Node): boolean => isScalar(node) && QUOTED.includes(node.type)
const QUOTED: readonly unknown[] = ['QUOTE_DOUBLE', 'QUOTE_SINGLE']

const startOf = (node: Node | undefined): number => node?.range?.[0] ?? -1
const endOf = (node: unknown): number => (Object(node) as Node).range?.[1] ?? -1

/** The last and innermost node that fits. */
function findNode(document: Document.Parsed, fits: (node: Node) => boolean): Node | undefined {
  let found: Node | undefined
  visit(document, {
    Node(_, node) {
      if (fits(node)) found = node
    },
  })
  return found
}
