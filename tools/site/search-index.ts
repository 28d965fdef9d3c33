import MiniSearch from 'minisearch'
import type { Section } from './markdown.ts'

/** The options of the index, which assets/search.js repeats. */
const OPTIONS = { fields: ['title', 'page', 'text'], storeFields: ['title', 'page', 'excerpt'] }
const EXCERPT_LENGTH = 140

/** An entry for each section of each page, with the address that leads there. */
export function searchIndex(
  pages: Iterable<{
    readonly address: string
    readonly title: string
    readonly sections: readonly Section[]
  }>,
): string {
  const index = new MiniSearch(OPTIONS)
  for (const { address, title: page, sections } of pages)
    for (const { id, level, title, text } of sections)
      index.add({
        id: level === 1 ? address : `${address}#${id}`,
        title,
        page,
        text,
        excerpt: text.replaceAll(/\s+/g, ' ').slice(0, EXCERPT_LENGTH),
      })
  return JSON.stringify(index)
}
