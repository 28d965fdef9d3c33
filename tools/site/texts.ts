import type { PageGroup, SitePage } from './pages.ts'

/** llms.txt (llmstxt.org): what there is, for language models; links lead to the Markdown of the pages. */
export function llmsText(home: SitePage, groups: readonly PageGroup[], base: string): string {
  const line = ({ source, title, summary }: SitePage) =>
    `- [${title}](${base}${source})${summary === '' ? '' : `: ${summary}`}`
  const parts = groups.map(({ title, pages }) => `## ${title}\n\n${pages.map(line).join('\n')}\n`)
  return [`# ${home.title}\n`, `> ${home.summary}\n`, `${line(home)}\n`, ...parts].join('\n')
}

/** llms-full.txt: the Markdown of all pages, one after the other. */
export function llmsFullText(home: SitePage, groups: readonly PageGroup[]): string {
  const pages = [home, ...groups.flatMap((group) => group.pages)]
  return pages.map(({ source, text }) => `<!-- ${source} -->\n\n${text.trim()}\n`).join('\n')
}
