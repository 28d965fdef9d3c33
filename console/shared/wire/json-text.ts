import { attempt } from '../attempt.ts'

/** JSON indented, and otherwise as it was sent: parsed and written anew, 1.50 would become 1.5. Undefined for other texts. */
export function indented(text: string): string | undefined {
  if (attempt(() => JSON.parse(text)) === undefined) return undefined
  let depth = 0
  const newLine = () => `\n${'  '.repeat(depth)}`
  return text.replace(TOKENS, (token) => {
    switch (token[0]) {
      case '{':
      case '[':
        if (token.length > 1) return token[0] + token.slice(-1)
        depth += 1
        return token + newLine()
      case '}':
      case ']':
        depth -= 1
        return newLine() + token
      case ',':
        return token + newLine()
      case ':':
        return ': '
      case '"':
        return token
      default:
        return ''
    }
  })
}

/** An empty object or array, a string, whitespace, or punctuation. */
const TOKENS = /\{\s*\}|\[\s*\]|"(?:[^"\\]|\\.)*"|\s+|[{}[\],:]/g
