import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { test } from 'node:test'
import { hasCollection, isSingle } from '../../src/vocabulary/index.ts'
import { ROOT } from '../support/markdown.ts'
import { hydrant as hydrantProcess } from '../support/processes.ts'
import { modelOf, temporaryFolder } from '../support/service.ts'
import { assertRefused, hydrant, serveIn } from './command.ts'

// contract: `hydrant init [folder]` ¦
test('init writes an API file into this folder or a new one, says what to do next, and check finds no problem', async (t) => {
  const home = temporaryFolder(t)
  for (const [args, path, first] of [
    [[], 'api.yaml', []],
    [['my/api'], join('my', 'api', 'api.yaml'), ['cd my/api']],
    [['my own'], join('my own', 'api.yaml'), ["cd 'my own'"]],
  ] as const) {
    const { status, stdout, stderr } = await hydrant(['init', ...args], { cwd: home })
    assert.deepEqual([status, stderr], [0, ''])
    const [wrote, ...next] = stdout.split('\n').filter((line) => line !== '')
    assert.equal(wrote, `Wrote ${path}, and api.schema.json for editors. Change it as you like, then:`)
    assert.deepEqual(
      next.map((line) => line.replace(/^ {2}(?:\S*hydrant )?/, '')),
      [...first, 'check api.yaml', 'user add 1', 'serve api.yaml'],
    )
    const command = /^ {2}(\S+) check/.exec(next.at(-3) ?? '')?.[1] ?? ''
    assert.ok(existsSync(resolve(home, dirname(path), command)), `${command} is not there from ${path}`)
    const checked = await hydrant(['check', path], { cwd: home })
    assert.equal(checked.status, 0, checked.stdout)
  }
})

test('init names the command as it is called from the new folder, also when called from beside itself', async (t) => {
  const folder = temporaryFolder(t)
  const { stdout } = await hydrant(['init', folder], { cwd: join(ROOT, 'bin') })
  const command = /^ {2}(\S+) check/m.exec(stdout)?.[1] ?? ''
  assert.equal(resolve(folder, command), join(ROOT, 'bin', 'hydrant'))
})

test('init --from proposes an API file under which the data is imported, by the commands that it names', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'books.csv'), 'id,title,pages\n1,Emma,474\n2,Persuasion,\n')
  const { status, stdout, stderr } = await hydrant(['init', 'shop', '--from', 'books.csv'], { cwd: folder })
  assert.deepEqual([status, stderr], [0, ''])
  const steps = [...stdout.matchAll(/^ {2}\S*hydrant (.*)$/gm)].map(([, step = '']) => step.split(' '))
  const names = steps.map(([name]) => name)
  assert.deepEqual(names, ['check', 'import', 'user', 'serve'])
  for (const step of steps.slice(0, 2)) {
    const done = await hydrant(step, { cwd: join(folder, 'shop') })
    assert.equal(done.status, 0, done.stderr)
  }
  writeFileSync(join(folder, 'sheet.csv'), Buffer.from('größe;day\n1,5;31.12.2026\n', 'latin1'))
  const sheet = await hydrant(['init', 'sheet', '--from', 'sheet.csv'], { cwd: folder })
  const [, step = ''] = /^ {2}\S*hydrant (import .*)$/m.exec(sheet.stdout) ?? []
  assert.match(step, / --dates dd\.mm\.yyyy --decimal-comma --encoding latin1$/)
  const loaded = await hydrant(step.split(' '), { cwd: join(folder, 'sheet') })
  assert.match(loaded.stdout, /^1 added, 0 already there, 0 refused/)
  for (const [file, text, part] of [
    ['data.txt', 'a', '"data.txt" '],
    ['data.ods', undefined, 'as CSV'],
    ['none.csv', undefined, 'none.csv: '],
    ['half.csv', 'a\n"b', 'half.csv:2: '],
  ] as const) {
    if (text !== undefined) writeFileSync(join(folder, file), text)
    assertRefused(
      await hydrant(['init', 'other', '--from', file], { cwd: folder }),
      file.startsWith('data.') ? 2 : 1,
      part,
    )
  }
  assert.ok(!existsSync(join(folder, 'other')))
})

// contract: `hydrant init [folder]` ¦
test('init --from gives tables with the names of our own classes others, under which the data is imported', async (t) => {
  const folder = temporaryFolder(t)
  const data = {
    accounts: [{ id: 1, name: 'Ann' }],
    posts: [{ id: 1, accountId: 1 }],
    sessions: [{ id: 1, at: 'noon' }],
  }
  writeFileSync(join(folder, 'db.json'), JSON.stringify(data))
  for (const args of [
    ['init', '--from', 'db.json'],
    ['check', 'api.yaml'],
    ['import', 'api.yaml', 'db.json'],
  ]) {
    const done = await hydrant(args, { cwd: folder })
    assert.equal(done.status, 0, done.stdout + done.stderr)
  }
  const { stdout } = await hydrant(['export', 'api.yaml'], { cwd: folder })
  assert.match(stdout, /"@type":"Post","account":"[^"]+\/myaccounts\/1"/)
})

test('the file that init writes shows the kinds of classes and properties, and is served as it is', async (t) => {
  const folder = temporaryFolder(t)
  await hydrant(['init'], { cwd: folder })
  const text = readFileSync(join(folder, 'api.yaml'), 'utf8')
  const { classes } = modelOf(text)
  const properties = classes.flatMap((cls) => cls.properties)
  assert.ok(classes.some(hasCollection))
  assert.ok(properties.some(({ range }) => range.kind === 'link'))
  assert.ok(properties.some(({ range }) => range.kind === 'embedded'))
  assert.ok(properties.some(({ unique }) => unique))
  assert.ok(properties.some(({ required }) => required))
  assert.ok(properties.some(({ always }) => always === 'now'))
  assert.ok(properties.some(({ example, unit }) => example !== undefined || unit !== undefined))
  assert.ok(classes.some(({ uniqueTogether }) => uniqueTogether.length > 0))
  assert.ok(properties.some(({ constraints }) => constraints.enum !== undefined))
  assert.ok(properties.some(({ name, filterable }) => name === 'notes' && !filterable))

  const { base } = await serveIn(t, folder, ['--no-auth'])
  assert.equal((await fetch(`${base}/books`)).status, 200)
})

// contract: `hydrant init [folder]` ¦
test('the comments of the file that init writes are true: each line that is commented out can be put to use', async (t) => {
  const folder = temporaryFolder(t)
  await hydrant(['init'], { cwd: folder })
  const text = readFileSync(join(folder, 'api.yaml'), 'utf8')
  const used = text
    .replaceAll(/^( +)# (\w+: \S+(?: read\])?)(?: {3,}.*)?$/gm, '$1$2')
    .replace(/^ {2}# Settings:\n(?: {2}#.*\n)+/m, (block) => block.replaceAll(/^ {2}# /gm, '  '))
  const settings = modelOf(used).classes.find(({ name }) => name === 'Settings')
  assert.ok(settings !== undefined && isSingle(settings))
  const book = modelOf(used).classes.find(({ name }) => name === 'Book')
  assert.equal(book?.iri, 'http://schema.org/Book')
  assert.deepEqual([...(book?.operations ?? [])], ['list', 'read'])
})

const NO_PROC = process.platform === 'linux' ? false : 'this system has no /proc'

test('init refuses a folder that the system does not take, with the reason', { skip: NO_PROC }, async () => {
  for (const folder of ['/proc/hydrant', '/proc/hydrant/api']) {
    // A process of its own, which is ended where it does not end.
    const refused = await hydrantProcess(['init', folder])
    assertRefused(refused, 1, `${folder}/api.yaml `)
  }
})

test('init makes no folder of a path that is too long', async (t) => {
  const folder = temporaryFolder(t)
  for (const depth of [3_000, 60_000]) {
    const refused = await hydrant(['init', 'a/'.repeat(depth)], { cwd: folder })
    assertRefused(refused, 1, 'ENAMETOOLONG')
  }
  assert.deepEqual(readdirSync(folder), [])
})

test('init overwrites nothing', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'api.yaml'), 'mine')
  assertRefused(await hydrant(['init'], { cwd: folder }), 1, 'api.yaml ')
  assert.equal(readFileSync(join(folder, 'api.yaml'), 'utf8'), 'mine')
  assertRefused(await hydrant(['init', 'api.yaml'], { cwd: folder }), 1, 'api.yaml ')
  assertRefused(await hydrant(['init', 'api.yaml/sub'], { cwd: folder }), 1, 'api.yaml/sub')
  mkdirSync(join(folder, 'full', 'api.yaml'), { recursive: true })
  assertRefused(await hydrant(['init', 'full'], { cwd: folder }), 1, 'api.yaml ')
  assertRefused(await hydrant(['init', 'a', 'b'], { cwd: folder }), 2, '[folder]')
})
