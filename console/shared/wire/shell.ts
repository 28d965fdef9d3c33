/**
 * A text as one word of a POSIX shell, whatever it contains. Within single quotes nothing has a meaning, `!` included.
 * Control characters are spelled out: a terminal into which they are pasted would obey some of them, such as the one
 * that ends a paste and lets the rest count as typed.
 */
export function quote(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  const parts = text.split(CONTROLS).map((part, index) => (index % 2 ? spellOut(part) : inQuotes(part)))
  return parts.join('') || "''"
}

/** Line ends are harmless within quotes. Marks of writing direction, which hide what a line says, are spelled out too. */
const CONTROLS = /((?:(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}])+)/u

const inQuotes = (text: string): string => (text === '' ? '' : `'${text.replaceAll("'", "'\\''")}'`)

function spellOut(text: string): string {
  const bytes = [...new TextEncoder().encode(text)]
  return `"$(printf '${bytes.map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}')"`
}
