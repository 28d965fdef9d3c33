import { createRequire } from 'node:module'
import type { RE2JSSyntaxException } from 're2js'
import type { ProblemData } from '../problem.ts'
import { constraintProblem } from './problems.ts'

const require = createRequire(import.meta.url)

/**
 * Patterns of an API file are those of JSON Schema: ECMA-262 with the `u` flag, matching anywhere in a text unless they
 * are anchored. They are matched by RE2, which takes linear time: JavaScript's own engine takes ten seconds to match
 * thirty letters with `^(a+)+$`.
 */
interface Pattern {
  // Said without the types of re2js, which an older TypeScript does not read.
  test(text: string): boolean
}

/** Compiles a pattern without problems (`findPatternProblem`). */
export function compilePattern(pattern: string): Pattern {
  // Loaded here, since it takes 20 ms, and an API without patterns does not need it.
  const { RE2JS }: typeof import('re2js') = require('re2js')
  return RE2JS.compile(RE2JS.translateRegExp(toRe2(pattern)))
}

/** Why a text cannot be the pattern of a property; undefined if it can. */
export function findPatternProblem(pattern: string): ProblemData | undefined {
  try {
    new RegExp(pattern, 'u')
  } catch (error) {
    return constraintProblem('InvalidPattern', { reason: (error as SyntaxError).message })
  }
  try {
    compilePattern(pattern)
    return undefined
  } catch (error) {
    const part = error instanceof UnsupportedToken ? error.token : (error as RE2JSSyntaxException).input
    return constraintProblem('UnsupportedPattern', { part: part ?? pattern })
  }
}

/** A part of a pattern to which RE2 gives another meaning than JavaScript. */
class UnsupportedToken extends Error {
  readonly token: string

  constructor(token: string) {
    super('RE2 has another meaning for a part of this pattern.')
    this.token = token
  }
}

/** Rewrites the parts to which RE2 gives another meaning than JavaScript; throws if that is not possible. */
function toRe2(pattern: string): string {
  let inClass = false
  return pattern.replaceAll(TOKENS, (token, high?: string, low?: string) => {
    if (high && low) return String.fromCharCode(Number(`0x${high}`), Number(`0x${low}`))
    if (token === '[' && inClass) return '\\['
    if (token === '[' || token === ']') inClass = token === '['
    if (!inClass && (token === '\\k' || /^\(\?.*[ms]/.test(token))) throw new UnsupportedToken(token)
    return (inClass ? WITHIN : OUTSIDE)[token] ?? withShortName(token)
  })
}

/** Surrogates, Unicode properties, other escapes, groups with flags, and the brackets of character classes. */
const TOKENS = /\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|\\p\{[^}]*\}|\\.|\(\?[a-z-]+:|[[\].]/gis

/** ECMA-262 §12.2 and §12.3: white space and line ends; and all other characters. */
const SPACES = '\\t-\\r \\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff'
const WITHIN: Readonly<Record<string, string>> = {
  '\\b': '\\x08',
  '\\s': SPACES,
  '\\S':
    '\\x00-\\x08\\x0e-\\x1f!-\\x9f\\xa1-\\u167f\\u1681-\\u1fff\\u200b-\\u2027\\u202a-\\u202e\\u2030-\\u205e\\u2060-\\u2fff\\u3001-\\ufefe\\uff00-\\u{10ffff}',
}
const OUTSIDE: Readonly<Record<string, string>> = {
  '.': '[^\\n\\r\\u2028\\u2029]',
  '\\s': `[${SPACES}]`,
  '\\S': `[^${SPACES}]`,
}

const withShortName = (token: string): string =>
  token.replace(
    /^(\\[pP]\{)(?:(?:Script|sc|General_Category|gc)=)?(\w+)/,
    (_, start: string, name: string) => start + (CATEGORIES.get(name) ?? name),
  )

/** RE2 knows the categories of Unicode by their short names. */
const CATEGORIES = new Map(
  (
    'Letter L,Cased_Letter LC,Uppercase_Letter Lu,Lowercase_Letter Ll,Titlecase_Letter Lt,' +
    'Modifier_Letter Lm,Other_Letter Lo,Mark M,Nonspacing_Mark Mn,Spacing_Mark Mc,Enclosing_Mark Me,' +
    'Number N,Decimal_Number Nd,Letter_Number Nl,Other_Number No,Punctuation P,' +
    'Connector_Punctuation Pc,Dash_Punctuation Pd,Open_Punctuation Ps,Close_Punctuation Pe,' +
    'Initial_Punctuation Pi,Final_Punctuation Pf,Other_Punctuation Po,Symbol S,Math_Symbol Sm,' +
    'Currency_Symbol Sc,Modifier_Symbol Sk,Other_Symbol So,Separator Z,Space_Separator Zs,' +
    'Line_Separator Zl,Paragraph_Separator Zp,Other C,Control Cc,Format Cf,Private_Use Co'
  )
    .split(',')
    .map((pair) => pair.split(' ') as [string, string]),
)
