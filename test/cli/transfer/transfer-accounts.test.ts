import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { folderWithApi, hydrant } from '../command.ts'

const TASKS = `
title: Tasks
classes:
  Task:
    properties:
      title: string
      assignee: Account
      watchers: { type: Account, many: true }
      check: Check
  Check: { collection: false, properties: { by: Account } }
`

/** User 2 is called Anna, and user 3 has no name. No server has ever run. */
async function folderWithUsers(t: TestContext): Promise<string> {
  const folder = folderWithApi(t, TASKS)
  for (const args of [['2', '--name', 'anna@studio.example'], ['3']]) {
    const added = await hydrant(['user', 'add', ...args], { cwd: folder, input: 'plum pudding\n' })
    assert.equal(added.status, 0, added.stderr)
  }
  return folder
}

async function importInto(folder: string, file: string, text: string, ...flags: string[]) {
  writeFileSync(join(folder, file), text)
  return hydrant(['import', 'api.yaml', file, '--json', ...flags], { cwd: folder })
}

async function exported(folder: string): Promise<Record<string, unknown>[]> {
  const { status, stdout, stderr } = await hydrant(['export', 'api.yaml'], { cwd: folder })
  assert.equal(status, 0, stderr)
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const BASE = 'http://localhost:8080/api'
const ANNA = `${BASE}/accounts/2`
const OTHER = `${BASE}/accounts/3`

const lines = (...tasks: readonly object[]) =>
  tasks
    .map((task, index) => JSON.stringify({ '@type': 'Task', '@id': `/tasks/${index}`, ...task }))
    .join('\n')

const DATA: readonly (readonly [file: string, text: string, ...flags: string[]])[] = [
  [
    'tasks.ndjson',
    lines(
      { assignee: 2, watchers: ['3', 'ANNA@studio.example'] },
      { assignee: 'anna@studio.example', watchers: ['accounts/3', '/accounts/2'] },
      { assigneeId: 2, watchers: [{ '@id': '/accounts/3' }, ANNA], check: { by: 'anna@studio.example' } },
    ),
  ],
  [
    'tasks.jsonld',
    JSON.stringify({
      '@context': {
        '@vocab': `${BASE}/vocab#`,
        assignee: { '@id': `${BASE}/vocab#Task/assignee`, '@type': '@id' },
        watchers: { '@id': `${BASE}/vocab#Task/watchers`, '@type': '@id' },
      },
      '@graph': [
        {
          '@type': 'Task',
          '@id': '/tasks/0',
          assignee: 'anna@studio.example',
          watchers: ['accounts/3', ANNA],
        },
        { '@type': 'Task', '@id': '/tasks/1', assignee: '2', watchers: ['3', 'accounts/2'] },
        { '@type': 'Task', '@id': '/tasks/2', assignee: ANNA, watchers: [OTHER, 'anna@studio.example'] },
      ],
    }),
  ],
  [
    'tasks.csv',
    `id,assignee,watchers,watchers,check.by
0,2,3,anna@studio.example,
1,anna@studio.example,accounts/3,${ANNA},
2,/accounts/2,3,2,Anna@Studio.example
`,
  ],
]

// contract: An import may give the id or the name.
test('an import may name an account by its id, its name or its address, in every format', async (t) => {
  for (const [file, text] of DATA) {
    const folder = await folderWithUsers(t)
    const { status, stdout, stderr } = await importInto(folder, file, text)
    assert.equal(status, 0, stderr)
    assert.equal(JSON.parse(stdout).added, 3, file)
    for (const task of await exported(folder)) {
      assert.equal(task.assignee, ANNA, file)
      assert.deepEqual([...(task.watchers as string[])].toSorted(), [ANNA, OTHER], file)
      if (task.check !== undefined) assert.equal((task.check as Record<string, unknown>).by, ANNA, file)
    }
  }
})

test('an import that opens a service ignores HYDRANT_HISTORY, which may be for an export', async (t) => {
  const folder = await folderWithUsers(t)
  writeFileSync(join(folder, 'tasks.ndjson'), lines({ assignee: ANNA }))
  const env = { HYDRANT_HISTORY: 'on' }
  const { status, stderr } = await hydrant(['import', 'api.yaml', 'tasks.ndjson'], { cwd: folder, env })
  assert.equal(status, 0, stderr)
})

test('an import refuses accounts that are not there, with line and place, and brings none along', async (t) => {
  const folder = await folderWithUsers(t)
  const { status, stderr } = await importInto(
    folder,
    'tasks.ndjson',
    lines(
      { assignee: 'bert@studio.example' },
      { assignee: 4 },
      { watchers: [2, '/accounts/5'] },
      { check: { by: 'x' } },
      { '@type': 'Account', '@id': '/accounts/4', userId: 4 },
    ),
  )
  assert.equal(status, 1)
  for (const said of [
    /^tasks\.ndjson:1: assignee: .*"bert@studio\.example"\.$/m,
    /^tasks\.ndjson:2: assignee: links to "4"/m,
    /^tasks\.ndjson:3: watchers: links to "5"/m,
    /^tasks\.ndjson:4: check\/by: .*"x"\.$/m,
    /^tasks\.ndjson:5: @type: "Account"/m,
  ])
    assert.match(stderr, said)
  const users = await hydrant(['user', 'list', '--json'], { cwd: folder })
  assert.deepEqual(
    JSON.parse(users.stdout).map(({ id }: { id: number }) => id),
    [2, 3],
  )
})

// contract: Accounts are not in the feed
test('an export has links to accounts as addresses, and no account', async (t) => {
  const folder = await folderWithUsers(t)
  await importInto(folder, 'tasks.ndjson', lines({ assignee: 2 }))
  for (const file of ['all.ndjson', 'all.jsonld', 'tasks.csv']) {
    const { status, stderr } = await hydrant(['export', 'api.yaml', file], { cwd: folder })
    assert.equal(status, 0, stderr)
    const text = readFileSync(join(folder, file), 'utf8')
    assert.ok(text.includes(ANNA), text)
    assert.doesNotMatch(text, /anna|userId|"@type":"Account"/, file)
  }
  const refused = await hydrant(['export', 'api.yaml', '--class', 'Account'], { cwd: folder })
  assert.equal(refused.status, 2)
  const purged = await hydrant(['purge', 'api.yaml', '--json'], { cwd: folder })
  assert.deepEqual(JSON.parse(purged.stdout), { hidden: [] })
})
