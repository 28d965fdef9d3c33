import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..', '..')

/** The fenced blocks of one language in a page, as they are printed there. `section`: only those below this heading. */
export function codeBlocks(page: string, language: string, section?: string): string[] {
  const whole = readFileSync(join(ROOT, page), 'utf8')
  const text =
    section === undefined ? whole : (whole.split(/^## /m).find((one) => one.startsWith(section)) ?? '')
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, found]) => found === language)
    .map(([, , code]) => code as string)
}

/** The block that has this text in it. */
export function codeBlock(page: string, language: string, part: string): string {
  const block = codeBlocks(page, language).find((code) => code.includes(part))
  if (block === undefined) throw new Error(`${page} has no ${language} block with ${JSON.stringify(part)}.`)
  return block
}
