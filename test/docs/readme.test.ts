import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createClient } from 'hydrant-client'
import { COMMAND_SETTINGS, flagOf, SETTINGS, type Setting, variableFor } from '../../src/config/index.ts'
import { linesOf } from '../../src/service/problems/index.ts'
import { readApiFile } from '../../src/vocabulary/api-file.ts'
import { CTRL_C, openTerminal } from '../cli/terminal.ts'
import { codeBlock, codeBlocks, ROOT } from '../support/markdown.ts'
import { HYDRANT, redirectCurl, run, start } from '../support/processes.ts'
import { modelOf, temporaryFolder } from '../support/service.ts'

const README = 'README.md'
/** The command from a clone. */
const COMMAND = join(ROOT, 'bin', 'hydrant')

/** The bundled example as `npm start` serves it, on a port of its own. */
async function serveExample(t: TestContext, home: string): Promise<{ port: number; PASSPHRASE: string }> {
  const args = [HYDRANT, 'serve', '--log-format', 'pretty', '--port', '0']
  const env = { HYDRANT_CONSOLE_PORT: '0' }
  const { output, stdout } = await start(t, args, /X-Authorization: \$TOKEN/, { cwd: home, env })
  // What is printed there is what one sees, but for the ports and the words.
  const shape = (text: string) => text.replaceAll(/:\d+/g, ':0').replace(/\n {2}[A-Za-z ]+\n/, '\n  words\n')
  assert.ok(shape(stdout()).startsWith(shape(codeBlock(README, 'text', 'listening on'))), stdout())
  assert.match(stdout(), /^Open http:\/\/localhost:\d+\/ in a browser and sign in as user 1\.$/m)
  const port = Number(/listening on http:\/\/localhost:(\d+)\/api/.exec(output())?.[1])
  return { port, PASSPHRASE: /write it down:\n\n {2}(.+)\n/.exec(output())?.[1] ?? '' }
}

const STEPS = ['NONCE=', 'TOKEN=', 'curl -s -H "X-Authorization: $TOKEN" http://localhost:8080/api/books\n']

test('the bundled example', async (t) => {
  const home = temporaryFolder(t)
  const { port, PASSPHRASE } = await serveExample(t, home)

  /** Runs shell blocks of the README, one after the other in one shell. */
  async function runBlocks(parts: readonly string[]): Promise<string> {
    const script = parts.map((part) => codeBlock(README, 'sh', part)).join('\n')
    const { stdout, stderr, status } = await run('bash', ['-ec', script], {
      env: { ...redirectCurl(home, 8080, port), PASSPHRASE },
    })
    assert.equal(status, 0, stderr)
    return stdout
  }

  await t.test(
    'the three curl commands of steps A, B and C in the README work exactly as printed',
    async () => {
      const collection = JSON.parse(await runBlocks(STEPS))
      assert.match(collection['@id'], /^http:\/\/localhost:\d+\/api\/books$/)
      assert.equal(collection.totalItems, 103)
      assert.equal(collection.member.length, 20)
    },
  )

  await t.test('the other curl commands of the README work exactly as printed', async () => {
    const parts = ['api()', 'api/books/the-hobbit', 'pages.gte=500', 'ETAG=', 'api/boks']
    const output = await runBlocks([...STEPS.slice(0, 2), ...parts])
    const [emma, entryPoint, page, member, created, long, ring, changed, mistake] = output
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text))
    assert.equal(emma.title, 'Emma')
    assert.ok(!('@context' in emma))
    assert.equal(entryPoint['@type'][0], 'EntryPoint')
    assert.equal(page.member.length, 5)
    const shown = JSON.parse(JSON.stringify(member).replaceAll(/localhost:\d+/g, 'localhost:8080'))
    const printed = JSON.parse(codeBlock(README, 'json', 'the-hobbit'))
    assert.deepEqual({ ...shown, createdAt: printed.createdAt }, printed)
    assert.equal(created.name, 'Ann Leckie')
    const published = long.member.map((book: { published?: string }) => book.published ?? '')
    assert.ok(long.member.length > 1)
    assert.ok(long.member.every((book: { pages: number }) => book.pages >= 500))
    assert.deepEqual(published, published.toSorted().reverse())
    assert.ok(ring.totalItems > 0)
    assert.equal(changed.available, false)
    assert.deepEqual(mistake, JSON.parse(codeBlock(README, 'json', '404')))
  })

  await t.test('the program of the README reads the long books and changes one, as printed', async () => {
    const program = codeBlock(README, 'ts', 'createClient').replace('8080', String(port))
    writeFileSync(join(home, 'program.ts'), program)
    // As it would be installed.
    mkdirSync(join(home, 'node_modules'))
    symlinkSync(join(ROOT, 'packages/client/dist'), join(home, 'node_modules', 'hydrant-client'))
    const { stdout, stderr, status } = await run(process.execPath, ['program.ts'], {
      cwd: home,
      env: { PASSPHRASE },
    })
    assert.equal(status, 0, stderr)
    const pages = stdout
      .trim()
      .split('\n')
      .map((line) => Number(/ (\d+)$/.exec(line)?.[1]))
    assert.ok(pages.length > 1 && pages.every((count) => count >= 900), stdout)
    assert.deepEqual(
      pages,
      pages.toSorted((one, other) => other - one),
    )
  })
})

test('the moving picture of the README is small, and about as long as it takes to see what Hydrant does', () => {
  const file = readFileSync(join(ROOT, 'docs/images/tour.png'))
  assert.ok(file.length < 1_500_000)
  // Bytes 20 and 22 of each control chunk are the time of its frame: so many parts of a second.
  const seconds = [...file.toString('latin1').matchAll(/fcTL/g)]
    .map(({ index }) => file.readUInt16BE(index + 24) / file.readUInt16BE(index + 26))
    .reduce((sum, one) => sum + one, 0)
  assert.ok(seconds > 15 && seconds < 30, `${seconds} s`)
})

test('every API file in the README and in docs/api-file.md can be served', () => {
  for (const page of [README, 'docs/api-file.md']) {
    for (const block of codeBlocks(page, 'yaml')) {
      assert.doesNotThrow(() => modelOf(block), `${page}:\n${block}`)
    }
  }
})

test('the problems in docs/api-file.md are reported as printed there', async (t) => {
  const broken = [
    'title: Library',
    'classes:',
    '  Author:',
    '    properties:',
    '      name: strng',
    '  Book:',
    '    properties:',
    '      title: { type: string, requird: true }',
  ]
  const folder = temporaryFolder(t)
  const file = join(folder, 'api.yaml')
  writeFileSync(file, broken.join('\n'))
  const error = await readApiFile(file).catch((reason: unknown) => reason)
  const lines = linesOf(error).map((line) => `${line}\n`.replace(`${folder}/`, ''))
  assert.equal(lines.join(''), codeBlock('docs/api-file.md', 'text', 'strng'))
})

// contract: One API file in, a complete API out.
test('the three commands of the README make an API file, serve it, and show the passphrase of a first user', async (t) => {
  const folder = temporaryFolder(t)
  const [init = [], enter = [], serve = []] = codeBlock(README, 'text', 'bin/hydrant init')
    .trim()
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim().split(' '))
  assert.deepEqual([init[0], enter[0], serve[0]], ['bin/hydrant', 'cd', '../bin/hydrant'])
  const written = await run(COMMAND, init.slice(1), { cwd: folder })
  assert.equal(written.status, 0, written.stderr)
  const inside = join(folder, enter[1] ?? '')
  const args = [...serve.slice(1), '--port', '0', '--console-port', '0']
  const terminal = openTerminal(t, args, inside)
  await terminal.shows('X-Authorization: $TOKEN')
  const base = /listening on (\S+)/.exec(terminal.screen())?.[1] ?? ''
  const passphrase = /write it down:\s+([A-Za-z ]+)/.exec(terminal.screen())?.[1]?.trim() ?? ''
  assert.match(terminal.screen(), /console on http:\/\/localhost:\d+\//)
  const client = createClient({ base, credentials: { id: 1, paraphrase: passphrase } })
  assert.ok('books' in (await client.entryPoint()).links)
  terminal.type(CTRL_C)
  assert.equal(await terminal.ended, 0)
})

test('docs/settings.md has every setting with its flag, its variable and its default', () => {
  const page = readFileSync(join(ROOT, 'docs/settings.md'), 'utf8')
  for (const name of Object.keys(SETTINGS) as (keyof typeof SETTINGS)[]) {
    const row = page
      .split('\n')
      .find((line) => line.startsWith('|') && line.includes(`\`--${flagOf(SETTINGS[name])}\``))
    assert.ok(row, `--${flagOf(SETTINGS[name])} is not documented`)
    assert.ok(row.includes(variableFor(SETTINGS[name])), row)
    assert.ok(row.includes((SETTINGS[name] as Setting<unknown>).default ?? ''), row)
  }
  for (const name of Object.values<Setting<unknown>>(COMMAND_SETTINGS).map(variableFor))
    assert.ok(page.includes(`\`${name}\``), `${name} is not documented`)
})

test('every link in the README and in docs/ works, and docs/README.md leads to every page', () => {
  const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'docs/contract/README.md'].concat(
    readdirSync(join(ROOT, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  )
  const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8')
  const linksOf = (page: string) =>
    [...textOf(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].map(([, path, anchor]) => ({
      target: path ? relative(ROOT, resolve(ROOT, dirname(page), path)) : page,
      anchor,
    }))
  // As GitHub makes them.
  const anchorsOf = (page: string) =>
    [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    )
  for (const page of pages) {
    for (const { target, anchor } of linksOf(page)) {
      assert.ok(existsSync(join(ROOT, target)), `${page} links to ${target}`)
      if (anchor) assert.ok(anchorsOf(target).includes(anchor), `${page} links to ${target}#${anchor}`)
    }
  }
  const index = 'docs/README.md'
  const linked = new Set(linksOf(index).map(({ target }) => target))
  assert.deepEqual(
    pages.filter((page) => page !== index && !linked.has(page)),
    [],
  )
  assert.ok(linksOf(README).some(({ target }) => target === index))
})
