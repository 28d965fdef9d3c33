import assert from 'node:assert/strict'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { PARAPHRASE, startClient, stepB } from '../../support/client.ts'
import { openStream } from '../../support/streams.ts'
import { assertRefused, each, folderWithApi, hydrant, serveIn } from '../command.ts'
import { metric, opsOf } from '../ops.ts'

const api = (...properties: readonly string[]): string =>
  ['title: Notes', 'classes:', '  Note:', '    properties:', '      text: string', ...properties, ''].join(
    '\n',
  )

const NUMBER = '      number: integer'

test('serve --watch applies a changed file between two requests, and one with problems not at all', async (t) => {
  const folder = folderWithApi(t, api(NUMBER))
  const file = join(folder, 'api.yaml')
  const server = await serveIn(t, folder, ['--no-auth', '--watch', '--ops-port', '0'])
  const notes = `${server.base}/notes`
  const create = async (body: object): Promise<number> => {
    const headers = { 'Content-Type': 'application/json' }
    return (await fetch(notes, { method: 'POST', headers, body: JSON.stringify(body) })).status
  }
  let seen = 0
  /** Waits until the log has this, behind what it had before. */
  const says = async (text: string): Promise<void> => {
    const signal = AbortSignal.timeout(60_000)
    while (server.stdout().indexOf(text, seen) < 0) await wait(10, undefined, { signal })
    seen = server.stdout().indexOf(text, seen) + text.length
  }
  // Behind the start: what comes later is about a change.
  await says('"serving"')

  const socket = connect(server.port, '127.0.0.1')
  t.after(() => socket.destroy())
  let answers = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    answers += text
  })
  const ask = async (count: number) => {
    socket.write('GET /api/notes HTTP/1.1\r\nHost: x\r\n\r\n')
    const signal = AbortSignal.timeout(60_000)
    while (answers.split('HTTP/1.1 200').length <= count) await wait(10, undefined, { signal })
  }
  await ask(1)
  // It ends with the file whose rules it was opened under, and is resumed where it was.
  const stream = openStream(server, '', {})
  await stream.until(1)
  assert.equal(await create({ number: 1 }), 201)

  let isDone = false
  const statuses = new Set<number>()
  let written = 0
  const writing = (async () => {
    while (!isDone) {
      statuses.add(await create({ text: 'a' }))
      written++
    }
  })()

  // As many editors do it: a new file in the place of the old one.
  writeFileSync(join(folder, 'other'), api(NUMBER, '      done: boolean'))
  renameSync(join(folder, 'other'), file)
  await says('api.yaml applied: Note.done is new')
  assert.equal(await create({ done: true }), 201)
  await ask(2)
  await stream.closed
  assert.equal(stream.events.at(-1)?.type, 'end')
  const resumed = openStream(server, '', { 'Last-Event-ID': stream.lastId ?? '' })
  await resumed.until(2)
  resumed.cut()

  // As others do it: emptied, and filled again.
  writeFileSync(file, '')
  writeFileSync(file, api('      size: { type: integer, was: number }', '      done: boolean'))
  await says('becomes \\"size\\"')
  await says('Note.size is new, Note.number is gone')
  assert.deepEqual([await create({ size: 1 }), await create({ number: 1 })], [201, 422])

  for (const [broken, ...problems] of [
    [api('      size: integr', '      done: bool'), 'api.yaml:6:', '\\"integer\\"', 'api.yaml:7:'],
    [api('      size: integer', '      text: { type: string, unique: true }'), 'text'],
    [
      api('      size: { type: integer, was: number }', '      done: boolean').replace(
        'string',
        '{ type: string, unique: true }',
      ),
      'unique',
    ],
    [`${api('      size: integer', '      done: boolean')}access: { write: nobody }\n`, '--no-auth'],
  ] as const) {
    writeFileSync(file, broken)
    for (const problem of problems) await says(problem)
    await says('the former one stays in force')
    assert.equal(await create({ size: 1, done: true }), 201)
  }
  writeFileSync(file, api('      size: { type: integer, was: number }', '      done: boolean'))
  await says('nothing to apply: the content of api.yaml is already served')
  isDone = true
  await writing
  assert.deepEqual([...statuses], [201])
  assert.ok(written > 0)
  await ask(3)
  const ops = /"ops":"([^"]+)"/.exec(server.stdout())?.[1]
  assert.equal((await fetch(`${ops}/readyz`)).status, 200)
  assert.equal(await server.stop(), 0)
})

test('serve --watch says that the members of a class are hidden, and that they are back', async (t) => {
  const other = ['  Other:', '    properties:', '      text: string']
  const folder = folderWithApi(t, api(...other))
  const server = await serveIn(t, folder, ['--no-auth', '--watch'], {}, /"serving"/)
  const headers = { 'Content-Type': 'application/json' }
  await fetch(`${server.base}/notes`, { method: 'POST', headers, body: '{}' })
  const save = async (text: string, said: string): Promise<string> => {
    const before = server.stdout().length
    writeFileSync(join(folder, 'api.yaml'), text)
    const signal = AbortSignal.timeout(60_000)
    while (!server.stdout().slice(before).includes(said)) await wait(10, undefined, { signal })
    return server.stdout().slice(before)
  }
  const withoutNote = ['title: Notes', 'classes:', ...other, ''].join('\n')
  assert.match(await save(withoutNote, 'Note is gone'), /its 1 member is hidden until it is back/)
  // A class without members was hidden too, but has nothing to show.
  const isBack = await save(api(...other, '  Third:', ...other.slice(1)), 'applied: ')
  assert.deepEqual(isBack.match(/\w+ is back in the file; its members are shown again/g), [
    'Note is back in the file; its members are shown again',
  ])
  assert.equal((await (await fetch(`${server.base}/notes`)).json()).totalItems, 1)
  const isNew = api(...other).replace('  Note:', '  Memo:')
  assert.match(await save(isNew, 'applied: '), /If Note was renamed, say so: Memo: \{ …, was: Note \}/)
  const isRenamed = isNew.replace('  Memo:', '  Memo:\n    was: Note')
  assert.doesNotMatch(await save(isRenamed, 'applied: '), /is back in the file/)
  assert.equal(await server.stop(), 0)
})

test('serve --watch says which members break constraints that are new, as check does', async (t) => {
  const folder = folderWithApi(t, api(NUMBER))
  const server = await serveIn(t, folder, ['--no-auth', '--watch'], {}, /"serving"/)
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ number: 7 })
  await fetch(`${server.base}/notes`, { method: 'POST', headers, body })
  const save = async (...properties: string[]): Promise<string> => {
    const before = server.stdout().length
    writeFileSync(join(folder, 'api.yaml'), api(...properties))
    const signal = AbortSignal.timeout(60_000)
    while (!server.stdout().slice(before).includes('applied: ')) await wait(10, undefined, { signal })
    return server.stdout().slice(before)
  }
  const tax = '      tax: { type: string, required: true }'
  const lacks = '1 note lacks tax; it can be read and updated, and the next PUT of it needs it.'
  assert.ok((await save(NUMBER, tax)).includes(lacks))
  const { stdout } = await hydrant(['check'], { cwd: folder })
  assert.ok(stdout.includes(lacks), stdout)
  // What is known already is not repeated.
  const narrower = await save('      number: { type: integer, maximum: 5 }', tax)
  assert.match(narrower, /1 note breaks a constraint: number must be at most 5\. /)
  assert.ok(!narrower.includes('lacks'), narrower)
  assert.equal(await server.stop(), 0)
})

test('serve --watch applies a changed access file, and tokens stay good', async (t) => {
  const folder = folderWithApi(t, api())
  const access = join(folder, 'access.yaml')
  writeFileSync(access, 'access: { all: everyone }\n')
  await hydrant(['user', 'add', '1'], { cwd: folder, input: PARAPHRASE })
  const server = await serveIn(t, folder, ['--access', 'access.yaml', '--watch'])
  const client = startClient(server)
  const exchanged = await client.send('GET', '/', stepB(await client.nonce(), 1, PARAPHRASE))
  const headers = {
    'Content-Type': 'application/json',
    'X-Authorization': exchanged.headers['x-authorization'] ?? '',
  }
  const create = async () => (await client.send('POST', '/notes', headers, '{}')).status
  assert.equal(await create(), 201)
  writeFileSync(access, 'access: { view: everyone, write: nobody }\n')
  const signal = AbortSignal.timeout(60_000)
  while (!server.stdout().includes('applied')) await wait(10, undefined, { signal })
  assert.equal(await create(), 403)
  assert.equal((await client.send('GET', '/notes', headers)).status, 200)
  assert.equal(await server.stop(), 0)
})

test('serve --watch is wrong usage where a file cannot be applied', async (t) => {
  const folder = folderWithApi(t)
  const rows = ['sqlite::memory:', 'postgres://localhost/none']
  await each(rows, async (db) => {
    assertRefused(await hydrant(['serve', '--watch', '--db', db], { cwd: folder }), 2, '--watch: ')
  })
})

// contract: **Followers**: `followers
test('the followers of a module go on under a changed file, each change once', async (t) => {
  const folder = folderWithApi(t, api())
  const record = join(folder, 'record')
  writeFileSync(record, '')
  writeFileSync(
    join(folder, 'followers.ts'),
    `import { appendFileSync } from 'node:fs'
    export default { followers: { record: { classes: ['Note'], handle({ member }) {
      appendFileSync(${JSON.stringify(record)}, member.text + '\\n')
    } } } }`,
  )
  const server = await serveIn(t, folder, [
    '--no-auth',
    '--watch',
    '--with',
    'followers.ts',
    '--ops-port',
    '0',
  ])
  const create = async (body: object): Promise<number> => {
    const headers = { 'Content-Type': 'application/json' }
    return (await fetch(`${server.base}/notes`, { method: 'POST', headers, body: JSON.stringify(body) }))
      .status
  }
  const recorded = () => readFileSync(record, 'utf8').split('\n').filter(Boolean)
  assert.equal(await create({ text: 'before' }), 201)
  while (recorded().length < 1) await wait(20)
  writeFileSync(join(folder, 'api.yaml'), api(NUMBER))
  while ((await create({ text: 'after', number: 1 })) !== 201) await wait(20)
  while (recorded().length < 2) await wait(20)
  assert.deepEqual(recorded(), ['before', 'after'])
  assert.equal(await metric(opsOf(server), 'hydrant_follower_delay_seconds{follower="record"}'), 0)
  assert.equal(await server.stop('SIGTERM'), 0)
  assert.deepEqual(recorded(), ['before', 'after'])
})

test('serve --watch answers requests while a follower is still called with the former file', async (t) => {
  const folder = folderWithApi(t, api())
  writeFileSync(
    join(folder, 'followers.ts'),
    `export default { followers: { hang: { classes: ['Note'], handle() {
      console.log('called')
      return new Promise(() => {})
    } } } }`,
  )
  const server = await serveIn(t, folder, [
    ...['--no-auth', '--watch', '--with', 'followers.ts', '--hook-time', '4s'],
  ])
  const create = async (body: object): Promise<number> => {
    const headers = { 'Content-Type': 'application/json' }
    return (await fetch(`${server.base}/notes`, { method: 'POST', headers, body: JSON.stringify(body) }))
      .status
  }
  assert.equal(await create({ text: 'before' }), 201)
  while (!server.stdout().includes('called')) await wait(20)
  writeFileSync(join(folder, 'api.yaml'), api(NUMBER))
  while ((await create({ number: 1 })) !== 201) await wait(20)
  assert.ok(!server.stdout().includes('has failed to handle'), server.stdout())
  assert.equal(await server.stop('SIGTERM'), 0)
})
