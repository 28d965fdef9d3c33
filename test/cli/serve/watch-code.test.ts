import assert from 'node:assert/strict'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openStream } from '../../support/streams.ts'
import { folderWithApi, serveIn } from '../command.ts'

const api = (...properties: readonly string[]): string =>
  ['title: Notes', 'classes:', '  Note:', '    properties:', '      text: string', ...properties, ''].join(
    '\n',
  )

/** A hook that stamps each note with what `./lib/stamp.ts` and, when it is called, `./lib/late.mjs` say. */
const HOOKS = `
import { violation } from 'hydrant'
import { stamp } from './lib/stamp.ts'
export default {
  hooks: {
    Note: {
      async beforeWrite({ member }: { member: { text?: string } }) {
        if (member.text === undefined) throw violation('text', 'is missing')
        const { late } = await import('./lib/late.mjs')
        return { ...member, text: [member.text, stamp, late].join(' ') }
      },
    },
  },
}
`

/** A server that watches a folder with code. */
async function watchedServer(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  args: readonly string[],
  folder = folderWithApi(t, api()),
) {
  const write = (written: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(written)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      // As most editors do it: a new file in the place of the old one.
      writeFileSync(join(folder, `${name}.new`), text)
      renameSync(join(folder, `${name}.new`), join(folder, name))
    }
  }
  write(files)
  const server = await serveIn(t, folder, ['--no-auth', '--watch', ...args], {}, /"serving"/)
  let seen = server.stdout().length
  return {
    folder,
    write,
    server,
    /** Waits until the log has this, behind what it had before. */
    async says(text: string): Promise<void> {
      const signal = AbortSignal.timeout(30_000)
      while (server.stdout().indexOf(text, seen) < 0)
        await wait(10, undefined, { signal }).catch(() =>
          assert.fail(`${text} is not in the log:\n${server.output()}`),
        )
      seen = server.stdout().indexOf(text, seen) + text.length
    },
    /** The text of a new note, or the status of the refusal. */
    async create(body: object = { text: 'a' }): Promise<string | number> {
      const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
      const response = await fetch(`${server.base}/notes`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      const { text } = (await response.json()) as { text: string }
      return response.status === 201 ? text : response.status
    },
  }
}

const REFUSED = 'the former one stays in force'
const APPLIED = 'api.yaml and hooks.ts applied: '

// contract: `--with` finds `hydrant` whatever folder
test('serve --watch loads the module anew with all that it imports, and keeps the former code while it is broken', async (t) => {
  const { folder, write, server, says, create } = await watchedServer(
    t,
    {
      'hooks.ts': HOOKS,
      'lib/stamp.ts':
        "import { number } from './number.cjs'\nexport const stamp: string = 'first' + number\n",
      'lib/number.cjs': 'exports.number = 1\n',
      'lib/late.mjs': "export const late = 'late'\n",
    },
    ['--with', 'hooks.ts'],
  )
  assert.equal(await create(), 'a first1 late')
  const stream = openStream(server, '', {})
  await stream.until(1)

  write({ 'hooks.ts': HOOKS.replace('[member.text,', '["new", member.text,') })
  await says(`${APPLIED}the code of hooks.ts is new`)
  assert.equal(await create(), 'new a first1 late')
  await stream.closed
  write({ 'lib/stamp.ts': "import { number } from './number.cjs'\nexport const stamp = 'second' + number\n" })
  await says(APPLIED)
  assert.equal(await create(), 'new a second1 late')
  write({ 'lib/number.cjs': 'exports.number = 2\n' })
  await says(APPLIED)
  assert.equal(await create(), 'new a second2 late')
  write({ 'lib/late.mjs': "export const late = 'later'\n" })
  await says(APPLIED)
  assert.equal(await create(), 'new a second2 later')

  const broken: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
    [{ 'hooks.ts': 'export default {' }, 'hooks.ts:1 cannot be loaded: '],
    [
      { 'hooks.ts': HOOKS, 'lib/stamp.ts': 'export const\nstamp = = 1\n' },
      'lib/stamp.ts:2 cannot be loaded: ',
    ],
    [
      { 'lib/stamp.ts': "export const stamp = 'none'\nthrow new Error('no key')\n" },
      'lib/stamp.ts:2 cannot be loaded: no key',
    ],
    [
      { 'lib/stamp.ts': "import './other/stamp.ts'\nexport const stamp = 'third'\n" },
      'cannot be loaded: Cannot find module',
    ],
  ]
  for (const [files, reason] of broken) {
    write(files)
    await says(reason)
    await says(REFUSED)
    assert.equal(await create(), 'new a second2 later')
  }
  // The file that was missing, in a folder that was missing.
  write({ 'lib/other/stamp.ts': 'export {}\n' })
  await says(APPLIED)
  assert.equal(await create(), 'a third later')

  for (const [files, reason] of [
    [{ 'hooks.ts': HOOKS.replace('Note:', 'Nota:') }, 'hooks: \\"Nota\\"'],
    [{ 'hooks.ts': 'export const hooks = {}' }, 'hooks.ts has no default export'],
  ] as const) {
    write(files)
    await says(reason)
    await says(REFUSED)
  }
  rmSync(join(folder, 'hooks.ts'))
  await says(REFUSED)
  assert.equal(await create(), 'a third later')
  write({ 'hooks.ts': HOOKS.replace('[member.text,', '["back", member.text,') })
  await says(APPLIED)
  assert.equal(await create(), 'back a third later')

  // The whole folder goes, and another one comes in its place.
  renameSync(join(folder, 'lib'), join(folder, 'old'))
  await says(REFUSED)
  assert.equal(await create(), 'back a third later')
  write({
    'lib/stamp.ts': "export const stamp = 'fourth'\n",
    'lib/late.mjs': "export const late = 'latest'\n",
  })
  await says(APPLIED)
  assert.equal(await create(), 'back a fourth latest')
  write({ 'lib/stamp.ts': "export const stamp = 'fifth'\n" })
  await says(APPLIED)
  assert.equal(await create(), 'back a fifth latest')
  assert.equal(server.stderr(), '')
  assert.equal(await server.stop(), 0)
})

test('serve --watch applies an API file and code that need each other, whichever is saved first', async (t) => {
  const code = (operations: string): string =>
    `import { title } from './title.ts'\nexport default { operations: { Note: { ${operations} } } }\n`
  const pin = "pin: { title, expects: 'Pin', handle({ body }) { return undefined } }"
  const withPin = `${api()}  Pin:\n    collection: false\n    properties:\n      colour: string\n`
  const { write, server, says } = await watchedServer(
    t,
    { 'real/hooks.ts': code(''), 'real/title.ts': "export const title = 'Pin it'\n" },
    ['--with', 'real/hooks.ts'],
  )
  const shown = async (): Promise<readonly boolean[]> => {
    const texts = ['/openapi', '/vocab'].map(async (path) => (await fetch(server.base + path)).text())
    const [openApi = '', vocabulary = ''] = await Promise.all(texts)
    return [openApi.includes('/notes/{id}/pin'), vocabulary.includes('Pin it')]
  }
  assert.deepEqual(await shown(), [false, false])

  // The code first, then the file.
  write({ 'real/hooks.ts': code(pin) })
  await says(REFUSED)
  assert.deepEqual(await shown(), [false, false])
  write({ 'api.yaml': withPin })
  await says('applied: Pin is new')
  assert.deepEqual(await shown(), [true, true])

  // The file first, then the code.
  write({ 'api.yaml': api() })
  await says(REFUSED)
  assert.deepEqual(await shown(), [true, true])
  write({ 'real/hooks.ts': code('') })
  await says('applied: Pin is gone')
  assert.deepEqual(await shown(), [false, false])

  write({ 'real/hooks.ts': code(pin), 'api.yaml': withPin, 'real/title.ts': "export const title = 'Pin it'" })
  await says('applied: Pin is new')
  assert.deepEqual(await shown(), [true, true])
  assert.equal(await server.stop(), 0)
})

test('serve --watch follows a link to another module, and gives up a module that waits forever', async (t) => {
  const stamp = (text: string): string =>
    `export default { hooks: { Note: { beforeWrite: ({ member }: any) => ({ ...member, text: '${text}' }) } } }\n`
  const folder = folderWithApi(t, api())
  for (const release of ['1', '2']) {
    mkdirSync(join(folder, release))
    writeFileSync(join(folder, release, 'hooks.ts'), stamp(release))
  }
  const link = (release: string): void => {
    symlinkSync(join(release, 'hooks.ts'), join(folder, 'new.ts'))
    renameSync(join(folder, 'new.ts'), join(folder, 'hooks.ts'))
  }
  link('1')
  const { write, server, says, create } = await watchedServer(
    t,
    {},
    ['--with', 'hooks.ts', '--hook-time', '1s'],
    folder,
  )
  assert.equal(await create(), '1')
  link('2')
  await says(APPLIED)
  assert.equal(await create(), '2')
  write({ '2/hooks.ts': `await new Promise(() => {})\n${stamp('never')}` })
  await says('hooks.ts has not finished loading after 1 s')
  await says(REFUSED)
  assert.equal(await create(), '2')
  write({ '2/hooks.ts': stamp('3') })
  await says(APPLIED)
  assert.equal(await create(), '3')
  assert.equal(await server.stop(), 0)
})
