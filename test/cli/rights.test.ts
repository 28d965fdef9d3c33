import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, each, folderWithApi, hydrant } from './command.ts'

const OFFICE = `
roles: [admin, staff]
accounts: { manage: admin, view: staff }
classes:
  Project:
    access: { view: [staff, members, anyone], write: [staff, members], create: staff }
    properties:
      title: string
      cost: { type: decimal, view: staff, write: staff }
      remark: { type: string, write: staff }
      members: { type: Account, many: true }
  Task:
    access: { all: [owner, project.members], create: project.members }
    properties:
      title: string
      project: Project
      hours: { type: integer, view: [staff, owner] }
`

// contract: `check --as` shows the path in its table
test('check --as shows paths to accounts, and the properties that are for some', async (t) => {
  const folder = folderWithApi(t, OFFICE)
  const check = async (...flags: string[]) => {
    const { status, stdout, stderr } = await hydrant(['check', 'api.yaml', ...flags], { cwd: folder })
    assert.equal(status, 0, stderr)
    return stdout
  }
  const inParticular = await check('--as', 'nobody-in-particular')
  for (const row of [
    'Project  yes                   no               yes                   members ',
    'Task     own, project.members  project.members  own, project.members  own, project.members ',
    'Account  own                   no               own                   no ',
  ])
    assert.ok(inParticular.includes(`\n  ${row}`), inParticular)
  assert.match(
    inParticular,
    /\n {2}Project\.cost {4}no {4}no\n {2}Project\.remark {2}yes {3}no\n {2}Task\.hours {6}own {3}own\n/,
  )
  assert.match(
    await check('--as', 'staff'),
    /\n {2}Project\.cost {4}yes {3}yes\n {2}Project\.remark {2}yes {3}yes\n/,
  )
  const { roles, classes } = JSON.parse(await check('--as', 'nobody-in-particular', '--json')).access
  assert.deepEqual(roles, [])
  assert.deepEqual(classes[0], {
    class: 'Project',
    list: 'any',
    create: 'none',
    read: 'any',
    update: ['members'],
    replace: ['members'],
    delete: ['members'],
    properties: { cost: { view: 'none', write: 'none' }, remark: { view: 'any', write: 'none' } },
  })
  assert.deepEqual(classes[1].list, ['own', 'project.members'])
  assert.equal(classes[2].list, 'own')
})

// contract: `check` lists what anyone may read
test('check lists what anyone may read, and check --as anyone shows it in its table', async (t) => {
  const folder = folderWithApi(t, OFFICE)
  const { stdout } = await hydrant(['check', 'api.yaml'], { cwd: folder })
  assert.match(
    stdout,
    /\nAnyone may read, without signing in:\n {2}Project \(list, read; without cost and members\)\n/,
  )
  const json = JSON.parse((await hydrant(['check', 'api.yaml', '--json'], { cwd: folder })).stdout)
  assert.deepEqual(json.anyone, [
    { class: 'Project', operations: ['list', 'read'], hidden: ['cost', 'members'] },
  ])
  const as = await hydrant(['check', 'api.yaml', '--as', 'anyone'], { cwd: folder })
  assert.match(as.stdout, /\nAnyone, without signing in, may \(-: [^)]+\):\n/)
  assert.match(as.stdout, /\n {2}Project {2}yes {3}no {6}yes {3}no {6}no {7}no\n {2}Task {5}no {4}no {6}no /)
  const plain = await hydrant(['check', 'api.yaml'], { cwd: folderWithApi(t) })
  assert.doesNotMatch(plain.stdout, /Anyone/)
})

test('check does not say that anyone may read accounts, which have rules of their own', async (t) => {
  const folder = folderWithApi(
    t,
    'access: { view: anyone }\nclasses: { Loan: { properties: { to: Account } } }',
  )
  const { stdout } = await hydrant(['check', 'api.yaml', '--json'], { cwd: folder })
  assert.deepEqual(JSON.parse(stdout).anyone, [
    { class: 'Loan', operations: ['list', 'read'], hidden: ['to'] },
  ])
})

test('check --as shows what a user of the database may do, by id or name', async (t) => {
  const folder = folderWithApi(t, OFFICE)
  const check = (...flags: string[]) => hydrant(['check', 'api.yaml', '--as', ...flags], { cwd: folder })
  assertRefused(await check('2'), 1, 'no database')
  for (const [id, ...flags] of [
    ['2', '--name', 'Anna, of the studio', '--role', 'staff'],
    ['3', '--name', 'admin'],
  ] as const) {
    const added = await hydrant(['user', 'add', id, ...flags], { cwd: folder, input: 'plum pudding\n' })
    assert.equal(added.status, 0, added.stderr)
  }
  const rows = [
    ['2', /\nUser 2 \(Anna, of the studio\), with the role staff, may \(/],
    ['anna, of the STUDIO', /\nUser 2 \(Anna, of the studio\), with the role staff, may \(/],
    ['3', /\nUser 3 \(admin\), without roles, may \(/],
    // A role comes before a user of the same name.
    ['admin', /\nA user with the role admin may \(/],
  ] as const
  await each(rows, async ([who, said]) => assert.match((await check(who)).stdout, said))
  const { access } = JSON.parse((await check('2', '--json')).stdout)
  assert.deepEqual(access.user, { id: 2, name: 'Anna, of the studio' })
  assert.deepEqual(access.roles, ['staff'])
  assertRefused(await check('4'), 1, 'user 4')
  assertRefused(await check('nobody'), 2, '--as: "nobody"')
})
