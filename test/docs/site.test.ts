import assert from 'node:assert/strict'
import { globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import MiniSearch from 'minisearch'
import { ROOT } from '../support/markdown.ts'
import { buildSite } from '../support/site.ts'

/** The pages by address. */
async function readSite(): Promise<{ folder: string; pages: ReadonlyMap<string, string> }> {
  const folder = await buildSite()
  const paths = globSync('**/*.html', { cwd: folder })
  return { folder, pages: new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')])) }
}

/** Reads what our own pages have: attributes in double quotes. */
const attributes = (html: string, names: string): string[] =>
  [...html.matchAll(new RegExp(` (?:${names})="([^"]*)"`, 'g'))].map(([, value = '']) => value)

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false

test('npm run docs makes a page of every page in docs/, and of those beside it', async () => {
  const { pages } = await readSite()
  const sources = globSync('docs/**/*.md', { cwd: ROOT })
  assert.ok(sources.length > 30)
  for (const source of sources) {
    const address = source.replace(/README\.md$/, 'index.md').replace(/md$/, 'html')
    const page = pages.get(address)
    assert.ok(page, `${source} has no page ${address}`)
    assert.match(page, /<title>[^<]+<\/title>[\s\S]*<main id="content">\s*<h1 /, address)
  }
  for (const address of ['index.html', 'CHANGELOG.html', 'CONTRIBUTING.html', 'SECURITY.html'])
    assert.ok(pages.has(address), address)
  // As an old template language would read them.
  const braces = [...pages].filter(([, page]) => page.includes('{{') || page.includes('{%'))
  for (const [address] of braces)
    assert.match(readFileSync(join(ROOT, address.replace(/html$/, 'md')), 'utf8'), /\{\{|\{%/)
})

test('every link of every page leads to a file of the site, and every anchor to a heading', async () => {
  const { folder, pages } = await readSite()
  const anchors = new Map([...pages].map(([path, page]) => [path, new Set(attributes(page, 'id'))]))
  let followed = 0
  for (const [path, page] of pages) {
    for (const link of attributes(page, 'href|src|srcset')) {
      if (/^(?:https?|mailto):/.test(link)) continue
      const [target = '', anchor] = link.split('#')
      assert.ok(!target.startsWith('/'), `${path} links to ${link}, which works only at the root of a host`)
      const file = target === '' ? path : join(dirname(path), target)
      assert.ok(isFile(join(folder, file)), `${path} links to ${link}`)
      if (anchor !== undefined)
        assert.ok(anchors.get(file)?.has(decodeURIComponent(anchor)), `${path} links to ${link}`)
      followed += 1
    }
  }
  assert.ok(followed > 2000, `${followed} links`)
})

test('no two anchors of a page are the same', async () => {
  const { pages } = await readSite()
  for (const [path, page] of pages) {
    const ids = attributes(page, 'id')
    assert.deepEqual(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      [],
      path,
    )
  }
})

test('the index of the site finds sections by their words, and leads to them', async () => {
  const { folder } = await readSite()
  const index = MiniSearch.loadJSON(readFileSync(join(folder, 'assets/search-index.json'), 'utf8'), {
    fields: ['title', 'page', 'text'],
    storeFields: ['title', 'page', 'excerpt'],
  })
  for (const [query, address] of [
    ['folded text', 'docs/requests.html#folded-text'],
    ['pgbouncer', 'docs/scaling.html#pgbouncer'],
  ]) {
    const found = index.search(query ?? '', { boost: { title: 4, page: 2 } }).map(({ id }) => id)
    assert.ok(found.slice(0, 3).includes(address), `${query}: ${found.slice(0, 3)}`)
  }
})

test('llms.txt names every page once, with its Markdown beside it, and llms-full.txt has their text', async () => {
  const { folder } = await readSite()
  const text = readFileSync(join(folder, 'llms.txt'), 'utf8')
  assert.match(text, /^# Hydrant\n\n> .+\n\n- \[/)
  const links = [...text.matchAll(/^- \[.+\]\((.+?)\)(?:: .+)?$/gm)].map(([, link = '']) => link)
  const expected = globSync('docs/**/*.md', { cwd: ROOT })
  assert.equal(new Set(links).size, links.length)
  for (const source of expected) {
    if (source === 'docs/README.md') continue
    assert.ok(links.includes(source), `${source} is not in llms.txt`)
  }
  const full = readFileSync(join(folder, 'llms-full.txt'), 'utf8')
  for (const link of links) {
    assert.equal(readFileSync(join(folder, link), 'utf8'), readFileSync(join(ROOT, link), 'utf8'))
    assert.ok(full.includes(readFileSync(join(ROOT, link), 'utf8').trim()), link)
  }
})
