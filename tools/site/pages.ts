import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export interface SitePage {
  /** The source, from the root of the clone: `docs/requests.md`. */
  readonly source: string
  /** `docs/requests.html`. */
  readonly address: string
  readonly title: string
  /** The first sentence below the title. */
  readonly summary: string
  readonly text: string
}

export interface PageGroup {
  readonly title: string
  readonly pages: readonly SitePage[]
}

/** Pages beside docs/ that belong to the documentation. */
const OUTSIDE = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md']

/** The pages of the contract stand where the index names its first page. */
const CONTRACT = 'docs/contract/README.md'

/** A README is the page of its folder; every other page keeps its name, so that relative links stay as they are. */
export const addressOf = (source: string): string =>
  source.replace(/(^|\/)README\.md$/, '$1index.md').replace(/\.md$/, '.html')

export function readPages(root: string): SitePage[] {
  const sources = [...OUTSIDE, ...globSync('docs/**/*.md', { cwd: root }).sort()]
  return sources.map((source) => {
    const text = readFileSync(join(root, source), 'utf8')
    const [, title = source] = /^# (.+)$/m.exec(text) ?? []
    return { source, address: addressOf(source), title: plainText(title), summary: summaryOf(text), text }
  })
}

/** Markdown without its marks, as far as our own pages use them. */
export const plainText = (markdown: string): string =>
  markdown.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '')

function summaryOf(text: string): string {
  const paragraph = text.split(/\n{2,}/).find((block) => /^(?:[A-Z[*]|`(?!`))/.test(block)) ?? ''
  const [sentence = ''] = /^.*?\.(?= |$)/s.exec(plainText(paragraph)) ?? [plainText(paragraph)]
  return sentence.replaceAll('\n', ' ').replace(/:$/, '.')
}

/**
 * The pages as the index of the documentation groups them: by its headings, or by the first cells of its tables. The
 * index is docs/README.md, or the README of the clone, which has a table at its end: the last mention of a page counts.
 * Pages that the index does not name come last.
 */
export function groupPages(root: string, pages: readonly SitePage[]): PageGroup[] {
  const index = existsSync(join(root, 'docs/README.md')) ? 'docs/README.md' : 'README.md'
  const grouped = pages.filter(({ source }) => source !== 'README.md' && source !== index)
  const titles = new Map<string, string>()
  let title = ''
  for (const line of pages.find(({ source }) => source === index)?.text.split('\n') ?? []) {
    title = headingIn(line) ?? title
    for (const [, link = ''] of line.matchAll(/\]\(([^)#]+\.md)\)/g)) {
      const source = normalize(join(dirname(index), link))
      titles.delete(source)
      titles.set(source, title)
    }
  }
  const order = [...titles.keys()]
  const placeOf = ({ source }: SitePage) => (titles.has(source) ? order.indexOf(source) : order.length)
  const groupOf = ({ source }: SitePage) =>
    titles.get(source) ?? (source.startsWith('docs/contract/') ? titles.get(CONTRACT) : undefined) ?? 'More'
  const sorted = grouped.toSorted((one, other) => placeOf(one) - placeOf(other))
  return [...Map.groupBy(sorted, groupOf)].map(([name, members]) => ({ title: name, pages: members }))
}

/** The text of a heading, or of the first cell of a row if that has no link. */
function headingIn(line: string): string | undefined {
  const [, found] = /^#{1,3} (.+)$/.exec(line) ?? /^\| ([^|[\]]+) \|.*\]\(/.exec(line) ?? []
  if (found === undefined) return undefined
  const text = plainText(found)
  return text.charAt(0).toUpperCase() + text.slice(1)
}
