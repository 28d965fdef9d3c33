import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import highlighter from 'highlight.js/lib/common'
import type MarkdownIt from 'markdown-it'
import { addressOf } from './pages.ts'

/** A heading of a page and the text below it, up to the next heading. */
export interface Section {
  readonly level: number
  readonly title: string
  /** The anchor, as code hosts make it. */
  readonly id: string
  text: string
}

type Token = ReturnType<MarkdownIt['parse']>[number]

/** What a page is rendered with: its own path, and the sections that are found on the way. */
interface RenderedPage {
  readonly source: string
  readonly sections: Section[]
}

const LANGUAGES: Readonly<Record<string, string>> = { jsonld: 'json', ndjson: 'json' }

/** Adds to the generator's Markdown: anchors, links to pages of the site, sections for the search, coloured code. */
export function amendMarkdown(
  markdown: MarkdownIt,
  root: string,
  pageOf: (env: unknown) => RenderedPage,
): void {
  markdown.set({ html: true, linkify: false, typographer: false })
  markdown.options.highlight = (code, name) => {
    const language = LANGUAGES[name] ?? name
    return highlighter.getLanguage(language) ? highlighter.highlight(code, { language }).value : ''
  }
  markdown.core.ruler.push('site', ({ tokens, env }) => {
    const { source, sections } = pageOf(env)
    sections.length = 0
    const anchors = new Map<string, number>()
    for (const [index, token] of tokens.entries()) {
      const inline = tokens[index + 1]
      if (token.type === 'heading_open' && inline) sections.push(openSection(token, textOf(inline), anchors))
      else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open')
        append(sections, textOf(token))
      else if (token.type === 'fence') append(sections, token.content)
      for (const child of token.children ?? []) {
        if (child.type === 'link_open')
          child.attrSet('href', linkFrom(root, source, child.attrGet('href') ?? ''))
      }
    }
  })
  // Wide code and tables scroll by themselves, so that the page does not; a focus lets the keyboard scroll them.
  const { fence } = markdown.renderer.rules
  markdown.renderer.rules.fence = (...args) => (fence?.(...args) ?? '').replace('<pre>', '<pre tabindex="0">')
  markdown.renderer.rules.table_open = () => '<div class="wide" tabindex="0"><table>\n'
  markdown.renderer.rules.table_close = () => '</table></div>\n'
}

function openSection(token: Token, title: string, anchors: Map<string, number>): Section {
  const slug = slugOf(title)
  const before = anchors.get(slug) ?? 0
  anchors.set(slug, before + 1)
  const id = before === 0 ? slug : `${slug}-${before}`
  token.attrSet('id', id)
  return { level: Number(token.tag.slice(1)), title, id, text: '' }
}

/** As GitHub and others make them, so that an anchor works there and here. */
const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const textOf = ({ children }: Token): string =>
  (children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('')

function append(sections: readonly Section[], text: string): void {
  const section = sections.at(-1)
  if (section) section.text += `${text}\n`
}

/** A link to a file of the clone leads to its page, if it has one; a folder has a page that lists it. */
function linkFrom(root: string, source: string, href: string): string {
  if (href === '' || href.startsWith('#') || /^[a-z]+:/i.test(href)) return href
  const [path = '', ...anchor] = href.split('#')
  const target = join(root, dirname(source), path)
  const isFolder = statSync(target, { throwIfNoEntry: false })?.isDirectory()
  const address = isFolder ? `${path.replace(/\/$/, '')}/index.html` : addressOf(path)
  return [address, ...anchor].join('#')
}
