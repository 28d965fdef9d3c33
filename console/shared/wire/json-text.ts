import { attempt } from '../attempt.ts'

/** Indents JSON, and keeps its values as they are written: JSON.stringify would turn 1.50 into 1.5. Undefined for other texts. */
export function indented(text: string): string | undefined {
  if (attempt(() => JSON.parse(text)) === undefined) return undefined
  let depth = 0
  const newLine = () => `\n${'  '.repeat(depth)}`
  return text.replace(TOKENS, (token) => {
    const [sign = ''] = token
    if (sign === '"') return token
    if (sign === ':') return ': '
    if (sign === ',') return token + newLine()
    if (sign.trim() === '') return ''
    if (token.length > 1) return sign + token.slice(-1)
    const isOpening = sign === '{' || sign === '['
    depth += isOpening ? 1 : -1
    return isOpening ? token + newLine() : newLine() + token
  })
}

/** An empty object or array, a string, whitespace, or punctuation. */
const TOKENS = /\{\s*\}|\[\s*\]|"(?:[^"\\]|\\.)*"|\s+|[{}[\],:]/g
