import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryFolder } from '../support/service.ts'
import { assertRefused, each, folderWithDatabase, hydrant } from './command.ts'

/** The commands of one folder, each with a paraphrase to read. */
const userIn =
  (folder: string) =>
  (...args: string[]) =>
    hydrant(['user', ...args], { cwd: folder, input: 'open sesame\n' })

// contract: `hydrant user name <id> <name>`
// contract: `hydrant user add 2 --name anna@studio.example`
test('a user gets a name when it is added and later, loses it again, and the list shows it', async (t) => {
  const user = userIn(temporaryFolder(t))
  const print = async (...args: string[]) => {
    const { status, stdout, stderr } = await user(...args)
    assert.equal(status, 0, stderr)
    return stdout
  }
  const names = async () =>
    JSON.parse(await print('list', '--json')).map(({ name }: { name: string | null }) => name)
  assert.equal(
    await print('add', '2', '--name', 'anna@studio.example'),
    'User 2 was added with the name anna@studio.example.\n',
  )
  assert.equal(
    await print('add', '3', '--name', 'E\u0301mile', '--json'),
    '{"id":3,"added":true,"name":"\u00c9mile","roles":[]}\n',
  )
  assert.deepEqual(await names(), ['anna@studio.example', '\u00c9mile'])
  assert.equal(await print('name', '2', 'Anna Berg'), 'User 2 is called Anna Berg from now on.\n')
  assert.match(await print('list'), /^2 {5}Anna Berg {2}/m)
  // The own name may be spelt anew.
  assert.equal(await print('name', '2', 'ANNA BERG', '--json'), '{"id":2,"name":"ANNA BERG"}\n')
  assert.equal(await print('name', '3', '--none'), 'User 3 has no name from now on.\n')
  assert.equal(await print('name', '2', '--none', '--json'), '{"id":2,"name":null}\n')
  assert.deepEqual(await names(), [null, null])
})

test('with a name and roles, both are said', async (t) => {
  const { stdout } = await userIn(temporaryFolder(t))('add', '2', '--name', 'anna', '--role', 'editor')
  assert.equal(stdout, 'User 2 was added with the name anna and the role editor.\n')
})

test('what cannot be a name is wrong usage, and changes nothing', async (t) => {
  const user = userIn(await folderWithDatabase(t))
  const rows: (readonly [readonly string[], string])[] = [
    [['add', '1', '--name', '17'], '--name: '],
    [['add', '1', '--name', 'a:b'], 'colon'],
    [['add', '1', '--name', 'x'.repeat(201)], '200'],
    [['add', '1', '--name', ''], '--name'],
    [['name', '1', '17'], 'digit'],
    [['name', '1', 'a\nb'], 'control'],
    [['name', '1', ''], 'empty'],
    [['name', '1'], '--none'],
    [['name', '1', 'anna', '--none'], '--none'],
  ]
  await each(rows, async ([args, part]) => assertRefused(await user(...args), 2, part))
  assert.equal((await user('list', '--json')).stdout, '[]\n')
})

test('a name that another user has, however it is spelt, is a failure, and so is a name for nobody', async (t) => {
  const user = userIn(temporaryFolder(t))
  await user('add', '1', '--name', 'M\u00fcller')
  await user('add', '2')
  assertRefused(await user('add', '3', '--name', 'MULLER'), 1, '"MULLER"', 'hydrant user list')
  assertRefused(await user('name', '2', 'muller'), 1, '"muller"')
  assertRefused(await user('name', '9', 'anna'), 1, 'user 9')
  const users = JSON.parse((await user('list', '--json')).stdout)
  assert.deepEqual(
    users.map(({ id, name }: { id: number; name: string | null }) => [id, name]),
    [
      [1, 'M\u00fcller'],
      [2, null],
    ],
  )
})
