import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { codeBlock, ROOT } from '../support/markdown.ts'
import { HYDRANT, redirectCurl, run, start } from '../support/processes.ts'
import { temporaryFolder } from '../support/service.ts'

const PAGE = 'docs/clients.md'

test('the clients of docs/clients.md sign in and read, as printed', async (t) => {
  const folder = temporaryFolder(t)
  const args = [HYDRANT, 'serve', '--log-format', 'pretty', '--port', '0']
  const { output } = await start(t, args, /X-Authorization: \$TOKEN/, { cwd: folder })
  const port = Number(/listening on http:\/\/localhost:(\d+)\/api/.exec(output())?.[1])
  const PASSPHRASE = /write it down:\n\n {2}(.+)\n/.exec(output())?.[1] ?? ''
  const here = (language: string, part: string) =>
    codeBlock(PAGE, language, part).replaceAll('localhost:8080', `localhost:${port}`)
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  const runHere = async (command: string, ...rest: string[]): Promise<string> => {
    const env = { PASSPHRASE, ...redirectCurl(folder, 8080, port) }
    const { status, stdout, stderr } = await run(command, rest, { cwd: folder, env })
    assert.equal(status, 0, stderr)
    return stdout
  }
  mkdirSync(join(folder, 'node_modules'))
  for (const name of ['@comunica', '@api-platform'])
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  write('package.json', '{ "type": "module" }')

  assert.equal(JSON.parse(await runHere('bash', '-ec', codeBlock(PAGE, 'sh', 'TOKEN='))).member.length, 1)

  const command = `hydrant() { HYDRANT_BASE_URL=http://localhost:${port}/api '${process.execPath}' '${HYDRANT}' "$@"; }`
  const scripts = [codeBlock(PAGE, 'sh', 'hydrant token'), codeBlock(PAGE, 'sh', 'hydrant curl')]
  const typed = ['export XDG_RUNTIME_DIR=$PWD/run', command, ...scripts].join('\n')
  const [authors, added, asked] = (await runHere('bash', '-ec', typed))
    .split(/(?<=\})(?=\{)/)
    .map((text) => JSON.parse(text))
  assert.ok(authors.totalItems > 0)
  assert.equal(added.name, 'Ann Leckie')
  assert.equal(asked.totalItems, 1)

  write('sign-in.js', codeBlock(PAGE, 'js', 'export async function signIn'))
  write('query.js', here('js', 'QueryEngine'))
  const titles = (await runHere(process.execPath, 'query.js')).trim().split('\n')
  assert.equal(titles.length, 3)
  assert.deepEqual(titles, titles.toSorted())

  // The entry of the admin brings its user interface along, which needs a browser: the same two names, from within.
  const lib = join(ROOT, 'node_modules/@api-platform/admin/lib/hydra')
  const provider = here('js', 'createDataProvider').replace(
    "import { fetchHydra, hydraDataProvider } from '@api-platform/admin'",
    `import fetchHydra from '${lib}/fetchHydra.js'\nimport hydraDataProvider from '${lib}/dataProvider.js'`,
  )
  write('data-provider.js', provider)
  write(
    'admin.js',
    `globalThis.window = { location: { href: 'http://localhost/' } }
const { createDataProvider } = await import('./data-provider.js')
const { signIn } = await import('./sign-in.js')
const base = 'http://localhost:${port}/api'
const provider = createDataProvider(base, await signIn(base, 1, process.env.PASSPHRASE))
await provider.introspect()
const sort = { field: 'title', order: 'ASC' }
const { total } = await provider.getList('books', { pagination: { page: 1, perPage: 10 }, sort, filter: {} })
console.log(total)
await signIn(base, 1, 'wrong').catch(({ message }) => console.log(message))
`,
  )
  const expected = '103\nThe user or the passphrase is wrong.\n'
  assert.equal(await runHere(process.execPath, 'admin.js'), expected)

  write('library.py', here('python', 'class Hydrant'))
  // Not every machine has it: there the page is read, and not run.
  const found = await run('python3', ['-c', 'import requests']).catch(() => ({ status: 1 }))
  if (found.status === 0)
    assert.match(
      await runHere('python3', 'library.py'),
      /^\d+ .+\nhttp:\/\/localhost:\d+\/api\/authors\/\S+\n$/,
    )
  else t.diagnostic('python3 with requests is not here: the example in Python was not run')
})
