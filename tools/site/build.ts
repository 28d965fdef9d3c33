// `npm run docs`: builds the documentation as static pages in site/. `--serve` shows them while you write, `--out` names
// another folder, `--base` is the address where the site will be, for the links in llms.txt.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import Eleventy, { type UserConfig } from '@11ty/eleventy'
import { layOut } from './layout.ts'
import { amendMarkdown, type Section } from './markdown.ts'
import { addressOf, groupPages, readPages, type SitePage } from './pages.ts'
import { searchIndex } from './search-index.ts'
import { serveFolder } from './serve.ts'
import { llmsFullText, llmsText } from './texts.ts'

const PORT = 8090
/** Files that pages link to, or show. */
const FILES = ['Dockerfile', 'compose.yaml', 'docs/images', 'docs/contract/examples', 'examples']
/** Folders that pages link to: each gets a page that lists it. */
const LISTED = ['docs/contract/examples', 'examples', 'examples/shop']

const root = resolve(import.meta.dirname, '../..')
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(root, 'site') },
    base: { type: 'string', default: '' },
    serve: { type: 'boolean', default: false },
  },
})
// Eleventy's paths start at the working directory.
const out = resolve(values.out)
process.chdir(root)

const pages = readPages(root)
const listings = LISTED.map(listing)
const groups = groupPages(root, pages)
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const sectionsOf = new Map<string, Section[]>()
const [home] = pages
if (home === undefined) throw new Error('There is no page.')

const site = new Eleventy('.', relative(root, out), {
  quietMode: true,
  runMode: values.serve ? 'watch' : 'build',
  config: configure,
})
await site.init()
if (values.serve) {
  await site.watch()
  serveFolder(out, PORT)
} else {
  await site.write()
  console.log(`${pages.length} pages in ${relative(process.env.INIT_CWD ?? root, out) || out}/`)
}

function configure(config: UserConfig): void {
  config.setTemplateFormats('md')
  for (const entry of readdirSync('.', { withFileTypes: true }))
    if (entry.isDirectory() && entry.name !== 'docs') config.ignores.add(`./${entry.name}/**`)
  for (const { source, text } of listings) config.addTemplate(source, text)
  // Braces in our pages are no templates.
  config.addGlobalData('templateEngineOverride', 'md')
  config.addGlobalData(
    'permalink',
    () =>
      ({ page }: { page: InputPage }) =>
        addressOf(sourceOf(page)),
  )
  config.amendLibrary('md', (markdown) =>
    amendMarkdown(markdown, root, (env) => {
      const source = sourceOf((env as { page: InputPage }).page)
      const sections = sectionsOf.get(source) ?? []
      sectionsOf.set(source, sections)
      return { source, sections }
    }),
  )
  config.addTransform('page', function (content) {
    const page = [...pages, ...listings].find(({ source }) => source === sourceOf(this.page))
    if (page === undefined) throw new Error(`${this.page.inputPath} is not a page of the site.`)
    return layOut({ ...page, content, sections: sectionsOf.get(page.source) ?? [] }, groups, version)
  })
  copyAssets(config)
  config.on('eleventy.after', writeTexts)
}

interface InputPage {
  readonly inputPath: string
}

function sourceOf({ inputPath }: InputPage): string {
  return inputPath.replace(/^\.\//, '')
}

function copyAssets(config: UserConfig): void {
  const miniSearch = fileURLToPath(import.meta.resolve('minisearch'))
  const assets = {
    'tools/site/assets': 'assets',
    'console/styles/tokens.css': 'assets/tokens.css',
    'console/icon.svg': 'assets/icon.svg',
    [relative(root, miniSearch)]: 'assets/minisearch.js',
  }
  const sources = pages.map(({ source }) => source)
  const copied = [...FILES, ...sources].map((path) => [path, path] as const)
  config.addPassthroughCopy({ ...assets, ...Object.fromEntries(copied) })
}

/** For the search, and for language models. */
function writeTexts(): void {
  const indexed = pages.map((page) => ({ ...page, sections: sectionsOf.get(page.source) ?? [] }))
  writeFileSync(join(out, 'assets/search-index.json'), searchIndex(indexed))
  writeFileSync(join(out, 'llms.txt'), llmsText(home as SitePage, groups, values.base))
  writeFileSync(join(out, 'llms-full.txt'), llmsFullText(home as SitePage, groups))
}

function listing(folder: string): SitePage {
  const names = readdirSync(folder, { withFileTypes: true }).map((entry) =>
    entry.isDirectory() ? `${entry.name}/` : entry.name,
  )
  const text = `# ${folder}\n\n${names.map((name) => `- [${name}](${name})`).join('\n')}\n`
  const source = `${folder}/README.md`
  return { source, address: addressOf(source), title: folder, summary: '', text }
}
