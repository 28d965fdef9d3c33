import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pino from 'pino'
import { warnOfRoles } from '../../src/cli/serve/welcome.ts'
import { readConfig } from '../../src/config/index.ts'
import { classSchemas } from '../../src/members/conversion/conversion.ts'
import { openStore } from '../../src/store/open.ts'
import { listAll, modelOf } from '../support/service.ts'
import { assertRefused, each, folderWithApi, hydrant, inStore, serveIn } from './command.ts'
import { NEWS, WITHOUT_RULES } from './news.ts'

const RULES = 'roles: [editor]\nclasses:\n  Topic: { access: { create: editor } }\n'

/** A folder with both files. */
function folderWithRules(t: TestContext, rules = RULES): string {
  const folder = folderWithApi(t, WITHOUT_RULES)
  writeFileSync(join(folder, 'access.yaml'), rules)
  return folder
}

const AS: readonly (readonly [flags: readonly string[], who: string, table: readonly string[]])[] = [
  [
    ['--as', 'editor'],
    'with the role editor',
    [
      'Article  yes   yes     yes   yes     yes      yes',
      'Draft    own   yes     own   own     own      own',
    ],
  ],
  [
    ['--as', 'author'],
    'with the role author',
    ['Article  yes   yes     yes   own     no       no', 'Topic    yes   no      yes   -       -        -'],
  ],
  [
    ['--as', 'author', '--as', 'editor'],
    'with the roles author, editor',
    ['Article  yes   yes     yes   yes     yes      yes', 'Topic    yes   yes     yes   -       -        -'],
  ],
  [
    ['--as', 'nobody-in-particular'],
    'without roles',
    ['Article  yes   no      yes   own     no       no', 'Topic    yes   no      yes   -       -        -'],
  ],
]

test('check --as prints what a user with these roles may do, class by class', async (t) => {
  const folder = folderWithApi(t, NEWS)
  await each(AS, async ([flags, who, rows]) => {
    const { status, stdout } = await hydrant(['check', 'api.yaml', ...flags], { cwd: folder })
    assert.equal(status, 0, stdout)
    assert.ok(stdout.includes(`\nA user ${who} may (`), stdout)
    for (const row of ['class    list  create  read  update  replace  delete', ...rows])
      assert.ok(stdout.includes(`\n  ${row}\n`), `${stdout} lacks ${row}`)
  })
  const { stdout } = await hydrant(['check', 'api.yaml', '--as', 'author', '--json'], { cwd: folder })
  assert.deepEqual(JSON.parse(stdout).access, {
    roles: ['author'],
    classes: [
      {
        class: 'Article',
        list: 'any',
        create: 'any',
        read: 'any',
        update: 'own',
        replace: 'none',
        delete: 'none',
      },
      {
        class: 'Draft',
        list: 'own',
        create: 'any',
        read: 'own',
        update: 'own',
        replace: 'own',
        delete: 'own',
      },
      { class: 'Topic', list: 'any', create: 'none', read: 'any', update: null, replace: null, delete: null },
    ],
  })
})

test('check --as names the nearest role, and without rules everybody may do everything', async (t) => {
  const folder = folderWithApi(t, NEWS)
  const misspelt = await hydrant(['check', 'api.yaml', '--as', 'editr'], { cwd: folder })
  assertRefused(misspelt, 2, '--as: "editr"', '"editor"')
  const plain = folderWithApi(t, WITHOUT_RULES)
  const all = await hydrant(['check', 'api.yaml', '--as', 'nobody-in-particular'], { cwd: plain })
  assert.match(all.stdout, /\n {2}Draft {4}yes {3}yes {5}yes {3}yes {5}yes {6}yes\n/)
  assertRefused(await hydrant(['check', 'api.yaml', '--as', 'editor'], { cwd: plain }), 2, '--as: "editor"')
})

test('check reports every mistake in roles and access, at its place in the file that has it', async (t) => {
  const folder = folderWithRules(t, 'roles: [Editor]\nclasses: { Topik: { access: { create: edtor } } }\n')
  const check = (...flags: string[]) =>
    hydrant(['check', 'api.yaml', '--access', 'access.yaml', ...flags], { cwd: folder })
  const { status, stdout, stderr } = await check()
  assert.equal(JSON.parse((await check('--json')).stdout).file, 'access.yaml')
  assert.equal(status, 1)
  assert.match(stderr, /^hydrant: api\.yaml .* access\.yaml .*\b2\b/)
  assert.match(stdout, /^access\.yaml:1:9: /m)
  assert.match(stdout, /^access\.yaml:2:12: "Topik".*"Topic"/m)
})

// contract: A long-form document says nothing about access
// contract: With `--access <file>`
test('a document says nothing about access, and check says so; a file beside it says who may do what', async (t) => {
  const folder = folderWithRules(t)
  const { stdout } = await hydrant(['vocab', 'api.yaml'], { cwd: folder })
  writeFileSync(join(folder, 'api.jsonld'), stdout)
  const check = async (...flags: string[]) => {
    const checked = await hydrant(['check', 'api.jsonld', ...flags], { cwd: folder })
    assert.equal(checked.status, 0, checked.stderr)
    return checked.stdout
  }
  const SAID = 'A document says nothing about access: every user may do everything'
  const open = await check('--as', 'nobody-in-particular')
  assert.ok(open.includes(SAID), open)
  assert.match(open, /\n {2}Topic {4}yes {3}yes {5}yes/)
  const closed = await check('--access', 'access.yaml', '--as', 'nobody-in-particular')
  assert.ok(!closed.includes(SAID), closed)
  assert.match(closed, /\n {2}Topic {4}yes {3}no {6}yes/)
})

// contract: `--access` ¦
test('every command that reads an API file reads the access file beside it', async (t) => {
  const folder = folderWithRules(t)
  const { status, stdout } = await hydrant(['check', 'api.yaml', '--as', 'editor'], {
    cwd: folder,
    env: { HYDRANT_ACCESS: 'access.yaml' },
  })
  assert.equal(status, 0, stdout)
  assert.match(stdout, /with the role editor/)
  writeFileSync(join(folder, 'access.yaml'), 'roles: [Editor]\n')
  writeFileSync(join(folder, 'data.ndjson'), '')
  const rows = [
    ['check', 'api.yaml'],
    ['vocab', 'api.yaml'],
    ['types', 'api.yaml'],
    ['import', 'api.yaml', 'data.ndjson'],
    ['export', 'api.yaml'],
    ['serve', 'api.yaml', '--port', '0'],
  ]
  await each(rows, async (args) => {
    const refused = await hydrant([...args, '--access', 'access.yaml'], { cwd: folder })
    assert.equal(refused.status, 1, args[0])
    assert.match(refused.stdout + refused.stderr, /^access\.yaml:1:9: /m, args[0])
  })
})

// contract: `serve --no-auth` with access rules
test('with access rules and without authentication nothing is served', async (t) => {
  const folder = folderWithRules(t)
  const serve = (...flags: string[]) =>
    hydrant(['serve', '--port', '0', '--no-auth', ...flags], { cwd: folder })
  assertRefused(await serve('--access', 'access.yaml'), 1, 'access.yaml', '--no-auth')
  writeFileSync(join(folder, 'api.yaml'), NEWS)
  assertRefused(await serve(), 1, 'api.yaml', '--no-auth')
})

// contract: `serve` warns of roles
test('serve warns of roles that no user has, and of users whose roles the API file does not know', async (t) => {
  const folder = folderWithApi(t, NEWS)
  const roles = (id: number, ...held: string[]) =>
    inStore(folder, (store) => store.addUser({ id, paraphraseHash: 'hash', roles: held }, 0))
  await roles(1, 'editor', 'edtor')
  const server = await serveIn(t, folder, [], {}, /"msg":"serving"/)
  await server.stop()
  const [missing = '', unknown = '', ...others] = server
    .stdout()
    .split('\n')
    .filter((line) => line.includes('"level":40') && line.includes('role'))
  assert.match(
    missing,
    /"no user has the role author; give a user a role with: \S*hydrant user roles <id> author"/,
  )
  assert.match(unknown, /"the API file does not know the role edtor \(of user 1\); declare it under /)
  assert.deepEqual(others, [])
  await hydrant(['user', 'roles', '1', 'editor', 'author'], { cwd: folder })
  const warnings: string[] = []
  const log = pino({}, { write: (line) => warnings.push(line) })
  await inStore(folder, (store) => warnOfRoles(modelOf(NEWS), store, { config: readConfig({}, {}), log }))
  assert.deepEqual(warnings, [])
})

// contract: Every member remembers the user
// contract: `copy` and `backup` take roles and owners along
test('imported members belong to the user whom --owner names, else to nobody; export carries no owners', async (t) => {
  const folder = folderWithApi(t, NEWS)
  await inStore(folder, (store) => store.addUser({ id: 5, paraphraseHash: 'hash' }, 0))
  writeFileSync(
    join(folder, 'mine.ndjson'),
    '{"@type": "Draft", "@id": "/drafts/mine", "title": "Mine"}\n{"@type": "Draft", "@id": "/drafts/moved", "createdBy": 9}\n',
  )
  writeFileSync(join(folder, 'free.ndjson'), '{"@type": "Draft", "@id": "/drafts/free", "title": "Free"}\n')
  const run = (...args: string[]) => hydrant(args, { cwd: folder })
  assertRefused(await run('import', 'api.yaml', 'mine.ndjson', '--owner', '6'), 1, 'user 6')
  assertRefused(await run('import', 'api.yaml', 'mine.ndjson', '--owner', 'me'), 2, '--owner: ')
  assert.equal((await run('import', 'api.yaml', 'mine.ndjson', '--owner', '5')).status, 0)
  assert.equal((await run('import', 'api.yaml', 'free.ndjson')).status, 0)
  await inStore(folder, (store) => store.addUser({ id: 7, paraphraseHash: 'hash' }, 0))
  const again = await run('import', 'api.yaml', 'mine.ndjson', '--owner', '7')
  assert.match(again.stdout, /^0 added, 2 already there, .* keep their owner\.\n$/)
  const store = await openStore(`sqlite:${join(folder, 'hydrant.db')}`, classSchemas(modelOf(NEWS)))
  t.after(() => store.close())
  const number = (await store.auth.findUser(5))?.number
  assert.equal(typeof number, 'number')
  const { members } = await listAll(store, 'Draft')
  assert.deepEqual(members.map(({ id, owner }) => [id, owner ?? undefined]).toSorted(), [
    ['free', undefined],
    ['mine', number],
    ['moved', number],
  ])
  const exported = await run('export', 'api.yaml')
  assert.doesNotMatch(exported.stdout, /owner/i)
  const creators = exported.stdout.split('\n').filter((line) => line.includes('/drafts/'))
  assert.deepEqual(
    creators
      .map((line) => [/[^/]+$/.exec(JSON.parse(line)['@id'])?.[0], JSON.parse(line).createdBy])
      .toSorted(),
    [
      ['free', undefined],
      ['mine', 5],
      ['moved', 9],
    ],
  )
})
