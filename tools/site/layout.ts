import { dirname, relative } from 'node:path/posix'
import type { Section } from './markdown.ts'
import type { PageGroup } from './pages.ts'

interface LaidOut {
  /** Its address on the site. */
  readonly address: string
  readonly title: string
  readonly summary: string
  /** HTML. */
  readonly content: string
  readonly sections: readonly Section[]
}

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** A whole page. All links are relative, so that the site works in any folder of any host. */
export function layOut(page: LaidOut, groups: readonly PageGroup[], version: string): string {
  const to = (address: string) => relative(dirname(page.address), address)
  const name = page.title === 'Hydrant' ? 'Hydrant' : `${page.title} – Hydrant`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'self'; img-src 'self' data:">
<title>${escapeHtml(name)}</title>
<meta name="description" content="${escapeHtml(page.summary)}">
<link rel="icon" href="${to('assets/icon.svg')}">
<link rel="stylesheet" href="${to('assets/tokens.css')}">
<link rel="stylesheet" href="${to('assets/site.css')}">
<script src="${to('assets/theme.js')}"></script>
<script type="module" src="${to('assets/search.js')}"></script>
</head>
<body data-root="${to('index.html').replace(/index\.html$/, '') || './'}">
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="home" href="${to('index.html')}"><img src="${to('assets/icon.svg')}" alt="" width="24" height="24">Hydrant <small>${escapeHtml(version)}</small></a>
<div class="search" role="search">
<input type="search" placeholder="Search" aria-label="Search the documentation" aria-controls="found" autocomplete="off" spellcheck="false">
<div id="found" role="region" aria-label="Found" aria-live="polite" hidden></div>
</div>
<button type="button" class="theme">Light or dark</button>
</header>
<div class="columns">
<details class="menu"><summary>Pages</summary>
<nav aria-label="Pages">
${groups.map((group) => groupIn(group, page.address, to)).join('\n')}
</nav></details>
<main id="content">
${page.content}
</main>
${contents(page.sections)}
</div>
</body>
</html>
`
}

function groupIn({ title, pages }: PageGroup, here: string, to: (address: string) => string): string {
  const items = pages.map((page) => {
    const current = page.address === here ? ' aria-current="page"' : ''
    return `<li><a href="${to(page.address)}"${current}>${escapeHtml(page.title)}</a></li>`
  })
  return `<h2>${escapeHtml(title)}</h2>\n<ul>${items.join('')}</ul>`
}

function contents(sections: readonly Section[]): string {
  const shown = sections.filter(({ level }) => level === 2 || level === 3)
  if (shown.length < 2) return ''
  const items = shown.map(
    ({ level, id, title }) => `<li class="level-${level}"><a href="#${id}">${escapeHtml(title)}</a></li>`,
  )
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`
}
