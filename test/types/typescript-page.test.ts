import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'node:test'
import { readApiFile } from '../../src/vocabulary/api-file.ts'
import { PARAPHRASE, USER } from '../support/client.ts'
import { codeBlock, codeBlocks, ROOT } from '../support/markdown.ts'
import { HYDRANT, run } from '../support/processes.ts'
import { serve, temporaryFolder } from '../support/service.ts'
import { compile, typesOf } from './compiling.ts'

const PAGE = 'docs/client-types.md'
const TYPES = typesOf(readFileSync(join(ROOT, 'examples/library.yaml'), 'utf8'))

test('each command of docs/client-types.md works as printed, and all write the same types', async (t) => {
  const { base } = await serve(t, await readApiFile(join(ROOT, 'examples/library.yaml')))
  const folder = temporaryFolder(t)
  symlinkSync(HYDRANT, join(folder, 'hydrant'))
  symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'))
  const commands = codeBlocks(PAGE, 'sh').flatMap((block) => block.trim().split('\n'))
  assert.equal(commands.length, 2)
  for (const command of commands) {
    const here = command.replace('http://localhost:8080/api', base).replace('--user 1', `--user ${USER}`)
    const env = {
      PATH: [folder, dirname(process.execPath), process.env.PATH].join(delimiter),
      PASSPHRASE: PARAPHRASE,
    }
    const { status, stderr } = await run('bash', ['-ec', here], { cwd: folder, env })
    assert.deepEqual([status, stderr], [0, ''])
    assert.equal(readFileSync(join(folder, 'library.ts'), 'utf8'), TYPES)
    assert.equal((await run('rm', [join(folder, 'library.ts')])).status, 0)
  }
})

test('the last four lines of the example in docs/client-types.md do not compile, and nothing else is wrong with it', async (t) => {
  const uses = codeBlock(PAGE, 'ts', 'createClient<Library>')
  const errors = await compile(t, { 'library.ts': TYPES, 'use.ts': uses })
  const lines = uses.trimEnd().split('\n').length
  assert.deepEqual(
    errors.map(({ file, line }) => `${file}:${line}`),
    [3, 2, 1, 0].map((before) => `use.ts:${lines - before}`),
  )
  // Up to the lines that do not compile, it runs, with nothing installed but the client, as the README says.
  const { base } = await serve(t, await readApiFile(join(ROOT, 'examples/library.yaml')))
  const folder = temporaryFolder(t)
  const program = uses
    .split('\n')
    .slice(0, lines - 4)
    .join('\n')
  const here = program.replace('http://localhost:8080/api', base).replace('id: 1', `id: ${USER}`)
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(ROOT, 'packages/client'), join(folder, 'node_modules', 'hydrant-client'))
  writeFileSync(join(folder, 'use.ts'), `${here}\nconsole.log(data.name)\n`)
  const ran = await run(process.execPath, ['use.ts'], { cwd: folder, env: { PASSPHRASE: PARAPHRASE } })
  assert.deepEqual([ran.status, ran.stdout], [0, 'Ann Leckie\nAnn Leckie\n'], ran.stderr)
  const [said] = codeBlock(PAGE, 'text', 'TS2561').trim().split('\n')
  const { line, message } = errors[0] ?? {}
  assert.equal(said?.replace(/,\d+\)/, ')'), `use.ts(${line}): error ${message}`)
})
