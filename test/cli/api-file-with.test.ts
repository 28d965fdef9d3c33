import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { newPostgres } from '../support/postgres.ts'
import { API } from '../support/service.ts'
import { assertRefused, folderWithApi, hydrant } from './command.ts'

// The API of test/support/service.ts: an author is born on the same day, unless the name says otherwise.
const HOOKS = `
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
interface Author { name: string; born?: string }
const log = (line: string): void => appendFileSync(join(import.meta.dirname, 'told.txt'), line + '\\n')
export default {
  hooks: {
    Author: {
      async beforeWrite({ member }: { member: Author }) {
        if (member.name === 'nobody') throw Object.assign(new Error('is nobody.'), { name: 'HttpError', status: 422 })
        return { ...member, born: '2000-01-01' }
      },
      async afterWrite({ operation, member, members }: any) {
        log(operation + ' ' + (await members('authors').find(member['@id'])).name + ' ' + member.born)
      },
    },
  },
}
`

// contract: `hydrant serve --with hooks.ts`
test('code of --with imports hydrant in any folder, whatever is installed there, also later', async (t) => {
  const folder = folderWithHooks(
    t,
    `import { violation } from 'hydrant'
import { createClient } from 'hydrant/client'
export default {
  hooks: {
    Author: {
      async beforeWrite({ member }: { member: { name: string } }) {
        const later = await import('hydrant')
        if (typeof createClient !== 'function' || later.violation !== violation) throw new Error('another copy')
        throw violation('name', 'is checked by ' + member.name + '.')
      },
    },
  },
}
`,
  )
  const other = join(folder, 'node_modules', 'hydrant')
  mkdirSync(other, { recursive: true })
  writeFileSync(join(other, 'package.json'), '{"name":"hydrant","version":"0.0.1","main":"index.js"}')
  writeFileSync(join(other, 'index.js'), 'throw new Error("another copy")')
  writeFileSync(join(folder, 'data.ndjson'), '{"@type":"Author","name":"Ann"}')
  const args = ['import', 'api.yaml', 'data.ndjson', '--with', 'hooks.ts']
  const { status, stderr } = await hydrant(args, { cwd: folder })
  assert.equal(status, 1)
  assert.match(stderr, /^data\.ndjson:1: name: is checked by Ann\.\n/)
})

// contract: `--with` finds `hydrant` whatever folder
test('each kind of module finds hydrant, and so do the modules that it imports, in a folder without packages', async (t) => {
  const folder = folderWithApi(t)
  const program = "{ hooks: { Author: { beforeWrite() { throw violation('name', 'is found.') } } } }"
  const files: Readonly<Record<string, string>> = {
    'a.ts': `import { violation } from './lib/b.ts'\nexport default ${program} satisfies object`,
    'a.mts': `import { violation } from './lib/b.ts'\nexport default ${program} satisfies object`,
    'a.mjs': `import { violation } from 'hydrant'\nexport default ${program}`,
    'a.js': `import { violation } from 'hydrant'\nexport default ${program}`,
    'a.cjs': `const { violation } = require('./lib/c.js')\nmodule.exports = ${program}`,
    'a.cts': `const { violation } = require('./lib/c.js') as any\nmodule.exports = ${program}`,
    'lib/b.ts': [
      "import { createClient } from 'hydrant/client'",
      "import { readName } from 'hydrant/auth'",
      "export { violation } from 'hydrant'",
      "if (typeof createClient !== typeof readName) throw new Error('They are functions.')",
    ].join('\n'),
    'lib/c.js': "require('hydrant/client')\nmodule.exports = require('hydrant')",
  }
  mkdirSync(join(folder, 'lib'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  for (const name of Object.keys(files).filter((one) => one.startsWith('a.'))) {
    const args = ['import', 'api.yaml', '-', '--with', name]
    const { stderr } = await hydrant(args, { cwd: folder, input: '{"@type":"Author","name":"Ann"}' })
    assert.match(stderr, /^standard input:1: name: is found\.\n/, name)
  }
})

function folderWithHooks(t: TestContext, hooks = HOOKS): string {
  const folder = folderWithApi(t)
  writeFileSync(join(folder, 'hooks.ts'), hooks)
  return folder
}

const toldIn = (folder: string): string => readFileSync(join(folder, 'told.txt'), 'utf8')

// contract: They hold for every way in
test('an import runs the hooks of --with for each member, and none with --no-hooks', async (t) => {
  const folder = folderWithHooks(t)
  const lines = ['{"@type":"Author","@id":"/authors/1","name":"Ann"}', '{"@type":"Author","name":"nobody"}']
  writeFileSync(join(folder, 'data.ndjson'), lines.join('\n'))
  const args = ['import', 'api.yaml', 'data.ndjson', '--with', 'hooks.ts']
  const first = await hydrant(args, { cwd: folder })
  assert.equal(first.status, 1)
  assert.match(first.stdout, /^1 added, 0 already there, 1 refused/)
  assert.match(first.stderr, /^data\.ndjson:2: is nobody\.\n/)
  assert.equal(toldIn(folder), 'create Ann 2000-01-01\n')
  const again = await hydrant(args, { cwd: folder })
  assert.match(again.stdout, /^0 added, 1 already there, 1 refused/)
  const without = await hydrant([...args, '--no-hooks', '--db', 'sqlite:other.db'], { cwd: folder })
  assert.deepEqual([without.status, without.stderr], [0, ''])
  const exported = await hydrant(['export', 'api.yaml', '--db', 'sqlite:other.db'], { cwd: folder })
  assert.doesNotMatch(exported.stdout, /2000-01-01/)
  assert.equal(toldIn(folder), 'create Ann 2000-01-01\n')
})

test('an import into PostgreSQL runs the hooks of --with', async (t) => {
  const folder = folderWithHooks(t)
  const [env, input] = [
    { HYDRANT_DB: newPostgres(t) },
    '{"@type":"Author","@id":"/authors/1","name":"Ann"}\n',
  ]
  const args = ['import', 'api.yaml', '-', '--with', 'hooks.ts']
  for (const told of [/^1 added, 0 already there, 0 refused/, /^0 added, 1 already there, 0 refused/]) {
    const { status, stdout, stderr } = await hydrant(args, { cwd: folder, env, input })
    assert.equal(status, 0, stderr)
    assert.match(stdout, told)
  }
  assert.equal(toldIn(folder), 'create Ann 2000-01-01\n')
  assert.match((await hydrant(['export', 'api.yaml'], { cwd: folder, env })).stdout, /"born":"2000-01-01"/)
})

test('a class that only an operation uses is known to each command with --with', async (t) => {
  const api = `${API}
  Prize:
    collection: false
    properties:
      title: { type: string, required: true }
`
  const folder = folderWithApi(t, api)
  writeFileSync(
    join(folder, 'operations.ts'),
    "export default { operations: { Author: { award: { expects: 'Prize', handle() {} } } } }",
  )
  const shown: readonly (readonly [command: string, shown: RegExp])[] = [
    ['check', /^api\.yaml has no problem; it describes Author, Book, Prize\.$/m],
    ['vocab', /"expects": "http:\/\/localhost:8080\/api\/vocab#Prize"/],
    ['openapi', /"\/authors\/\{id\}\/award"/],
    ['types', /^export interface PrizeInput \{\n {2}title: string$/m],
  ]
  for (const [command, expected] of shown) {
    const without = await hydrant([command, 'api.yaml'], { cwd: folder })
    assert.equal(without.status, 1)
    assert.match(without.stdout + without.stderr, / Prize .*--with$/m)
    const told = await hydrant([command, 'api.yaml', '--with', 'operations.ts'], { cwd: folder })
    assert.equal(told.status, 0, told.stderr)
    assert.match(told.stdout, expected)
  }
})

test('what is wrong with a module is told at start, by check and by serve', async (t) => {
  const folder = folderWithHooks(t)
  const cases: readonly [string, string][] = [
    ['export default { hooks: { Autor: {} } }', 'hooks: "Autor" '],
    ['export default { hooks: { Author: { beforWrite() {} } } }', 'hooks.Author: "beforWrite" '],
    ['export default { hoks: {} }', '"hoks"; did you mean "hooks"?'],
    ['export const hooks = {}', 'wrong.ts has no default export '],
    ['export default {', 'wrong.ts:1 cannot be loaded: '],
    ['let a = 1\nthrow new Error("no key")', 'wrong.ts:2 cannot be loaded: no key'],
  ]
  writeFileSync(join(folder, 'lib.mjs'), '\nexport default missing')
  writeFileSync(join(folder, '6-wrong.ts'), "import './lib.mjs'")
  assertRefused(
    await hydrant(['check', 'api.yaml', '--with', '6-wrong.ts'], { cwd: folder }),
    1,
    'lib.mjs:2 cannot be loaded: missing is not defined',
  )
  for (const [index, [text, message]] of cases.entries()) {
    const name = `${index}-wrong.ts`
    writeFileSync(join(folder, name), text)
    for (const command of ['check', 'serve'])
      assertRefused(await hydrant([command, 'api.yaml', '--with', name], { cwd: folder }), 1, message)
  }
  const right = await hydrant(['check', 'api.yaml', '--with', 'hooks.ts'], { cwd: folder })
  assert.equal(right.status, 0, right.stderr)
})
