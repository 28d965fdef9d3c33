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
const plainText = (markdown: string): string =>
  markdown.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '')

function summaryOf(text: string): string {
  const paragraph = text.split(/\n{2,}/).find((block) => /^(?:[A-Z[*]|`(?!`))/.test(block)) ?? ''
  const [sentence = ''] = /^.*?\.(?= |$)/s.exec(plainText(paragraph)) ?? [plainText(paragraph)]
  return sentence.replaceAll('\n', ' ').replace(/:$/, '.')
}

/**
 * The pages by the headings of the index of the documentation: docs/README.md, or the README of the clone. The last
 * mention of a page counts. Pages that the index does not name come last, those of the contract together.
 */
export function groupPages(root: string, pages: readonly SitePage[]): PageGroup[] {
  const index = existsSync(join(root, 'docs/README.md')) ? 'docs/README.md' : 'README.md'
  const groups = new Map<string, string>()
  let heading = ''
  for (const line of pages.find(({ source }) => source === index)?.text.split('\n') ?? []) {
    const [, found] = /^#{1,3} (.+)$/.exec(line) ?? []
    heading = found === undefined ? heading : plainText(found)
    for (const [, link = ''] of line.matchAll(/\]\(([^)#]+\.md)\)/g)) {
      const source = normalize(join(dirname(index), link))
      groups.delete(source)
      groups.set(source, heading)
    }
  }
  const grouped = pages.filter(({ source }) => source !== 'README.md' && source !== index)
  const rest = grouped.map(({ source }) => source).filter((source) => !groups.has(source))
  for (const source of rest) if (isContract(source)) groups.set(source, 'The contract')
  for (const source of rest) if (!isContract(source)) groups.set(source, 'More')
  const order = [...groups.keys()]
  const sorted = grouped.toSorted((one, other) => order.indexOf(one.source) - order.indexOf(other.source))
  const titled = Map.groupBy(sorted, ({ source }) => groups.get(source) ?? '')
  return [...titled].map(([title, members]) => ({ title, pages: members }))
}

const isContract = (source: string): boolean => source.startsWith('docs/contract/')
