import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../support/service.ts'
import { assertRefused, each, folderWithDatabase, hydrant } from './command.ts'
import { WITHOUT_RULES } from './news.ts'

// contract: `hydrant user add <id> [--role …]`
// contract: `hydrant user add 2 --role editor --role author`
test('a user gets roles when it is added and later, and the list shows them', async (t) => {
  const folder = temporaryFolder(t)
  const user = async (...args: string[]) => {
    const { status, stdout, stderr } = await hydrant(['user', ...args], { cwd: folder, input: 'sesame\n' })
    assert.equal(status, 0, stderr)
    return stdout
  }
  const rolesOf = async () =>
    JSON.parse(await user('list', '--json')).map(({ roles }: { roles: string[] }) => roles.toSorted())
  assert.equal(
    await user('add', '2', '--role', 'editor', '--role', 'author'),
    'User 2 was added with the roles editor, author.\n',
  )
  assert.equal(
    await user('add', '3', '--role', 'a-1,b', '--role', 'b', '--json'),
    '{"id":3,"added":true,"roles":["a-1","b"]}\n',
  )
  assert.deepEqual(await rolesOf(), [
    ['author', 'editor'],
    ['a-1', 'b'],
  ])
  assert.match(await user('list'), /^2 .* {2}(editor, author|author, editor)$/m)
  assert.equal(await user('roles', '2', 'reader'), 'User 2 has the role reader from now on.\n')
  assert.equal(await user('roles', '3', '--none', '--json'), '{"id":3,"roles":[]}\n')
  assert.deepEqual(await rolesOf(), [['reader'], []])
  assert.match(await user('list'), /^3 .* -$/m)
})

test('wrong roles are wrong usage and change nothing', async (t) => {
  const folder = temporaryFolder(t)
  const rows: (readonly [readonly string[], string])[] = [
    [['add', '1', '--role', 'Editor'], '--role: '],
    [['add', '1', '--role', 'a'.repeat(65)], 'editor.'],
    [['add', '1', '--role', 'editor,'], 'editor.'],
    [['roles', '1', '1st'], 'editor.'],
    [['roles', '1'], '--none'],
    [['roles', '1', 'editor', '--none'], '--none'],
  ]
  await each(rows, async ([args, part]) => {
    assertRefused(await hydrant(['user', ...args], { cwd: folder, input: 'sesame\n' }), 2, part)
  })
  const empty = await folderWithDatabase(t)
  assertRefused(await hydrant(['user', 'roles', '9', 'a'], { cwd: empty }), 1, 'user 9')
})

test('a role that the API file does not declare is refused; without a file there is a warning', async (t) => {
  const folder = await folderWithDatabase(t)
  writeFileSync(join(folder, 'news.yaml'), `roles: [editor, author]\n${WITHOUT_RULES}`)
  const user = (...args: string[]) => hydrant(['user', ...args], { cwd: folder, input: 'sesame\n' })
  const flags = ['--api', 'news.yaml']
  const unchecked =
    /^hydrant: warning: the role editr could not be checked: there is no api\.yaml in this folder; name the API file with --api\.\n$/m
  const warned = await user('add', '8', '--role', 'editr')
  assert.deepEqual([warned.status, warned.stdout], [0, 'User 8 was added with the role editr.\n'])
  assert.match(warned.stderr, unchecked)
  const wrong = ['"editr"', 'news.yaml', '"editor"']
  assertRefused(await user('roles', '8', 'editr', ...flags), 2, ...wrong)
  assertRefused(await user('add', '9', '--role', 'editr', ...flags), 2, ...wrong)
  assertRefused(await user('roles', '8', 'chief', ...flags), 2, '"chief"', 'editor, author.')
  const right = await user('roles', '8', 'editor', ...flags)
  assert.deepEqual([right.status, right.stderr], [0, ''])
  // As `serve` does, without a name.
  writeFileSync(join(folder, 'api.yaml'), WITHOUT_RULES)
  assertRefused(await user('roles', '8', 'editor'), 2, '"editor"', 'api.yaml', '"roles"')
  assert.equal((await user('roles', '8', '--none')).stderr, '')
})
