import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { temporaryFolder } from '../support/service.ts'
import { folderWithDatabase, inStore, isParaphraseOf, userIds } from './command.ts'
import { CTRL_C, CTRL_D, openTerminal } from './terminal.ts'

const SECRET = 'plum pudding'

// contract: `hydrant user add <id> [--role …]`
test('on a terminal the passphrase is asked for twice and never shown', async (t) => {
  const folder = temporaryFolder(t)
  const terminal = openTerminal(t, ['user', 'add', '1'], folder)
  await terminal.shows('Passphrase of user 1 (not shown): ')
  terminal.type(`${SECRET}\r`)
  await terminal.shows('The same again: ')
  terminal.type(`${SECRET}\r`)
  assert.equal(await terminal.ended, 0)
  assert.equal(
    terminal.screen(),
    'Passphrase of user 1 (not shown): \r\nThe same again: \r\nUser 1 was added.\r\n' +
      'The database sqlite:hydrant.db was created.\r\n',
  )
  assert.ok(await isParaphraseOf(folder, 1, SECRET))
})

test('both answers may be typed ahead, and neither is shown', async (t) => {
  const folder = temporaryFolder(t)
  const terminal = openTerminal(t, ['user', 'add', '1'], folder)
  await terminal.shows('Passphrase of user 1')
  terminal.type(`${SECRET}\r${SECRET}\r`)
  assert.equal(await terminal.ended, 0)
  assert.ok(!terminal.screen().includes('plum'))
  assert.ok(await isParaphraseOf(folder, 1, SECRET))
})

test('a typing mistake can be taken back while typing', async (t) => {
  const folder = temporaryFolder(t)
  const terminal = openTerminal(t, ['user', 'add', '1'], folder)
  await terminal.shows('Passphrase of user 1')
  terminal.type(`${SECRET}x\x7f\r`)
  await terminal.shows('The same again: ')
  terminal.type(`something else\x15${SECRET}\r`)
  assert.equal(await terminal.ended, 0)
  assert.ok(await isParaphraseOf(folder, 1, SECRET))
})

test('two answers that differ change nothing', async (t) => {
  const folder = temporaryFolder(t)
  const terminal = openTerminal(t, ['user', 'add', '1'], folder)
  await terminal.shows('Passphrase of user 1')
  terminal.type(`${SECRET}\r`)
  await terminal.shows('The same again: ')
  terminal.type('plum puddin\r')
  assert.equal(await terminal.ended, 2)
  assert.match(terminal.screen(), /hydrant: The two passphrases differ[^\n]+\r\n$/)
  assert.ok(!terminal.screen().includes('plum'))
  assert.deepEqual(readdirSync(folder), [])
})

test('an empty answer is refused before the second question', async (t) => {
  const folder = temporaryFolder(t)
  const terminal = openTerminal(t, ['user', 'add', '1'], folder)
  await terminal.shows('Passphrase of user 1')
  terminal.type('\r')
  assert.equal(await terminal.ended, 2)
  assert.match(terminal.screen(), /at least one character.* Nothing was changed\.\r\n$/)
  assert.ok(!terminal.screen().includes('The same again'))
})

test('Ctrl-C and Ctrl-D at either question end the command with status 1 and change nothing', async (t) => {
  const rows: readonly (readonly [readonly string[], string])[] = [
    [[], CTRL_C],
    [[], CTRL_D],
    [['plum'], CTRL_C],
    [[`${SECRET}\r`], CTRL_C],
    [[`${SECRET}\r`], CTRL_D],
    [[`${SECRET}\r`, 'plum'], CTRL_C],
  ]
  for (const [typed, key] of rows) {
    const folder = temporaryFolder(t)
    const terminal = openTerminal(t, ['user', 'add', '1'], folder)
    await terminal.shows('Passphrase of user 1')
    for (const keys of typed) {
      terminal.type(keys)
      if (keys.endsWith('\r')) await terminal.shows('The same again: ')
    }
    terminal.type(key)
    assert.equal(await terminal.ended, 1)
    assert.match(terminal.screen(), /\r\nhydrant: Cancelled[^\n]+\r\n$/)
    assert.ok(!terminal.screen().includes('plum'))
    assert.deepEqual(readdirSync(folder), [])
  }
})

test('Ctrl-C at the question for a new paraphrase leaves the old one as it is', async (t) => {
  const folder = await folderWithDatabase(t)
  await inStore(folder, (store) => store.addUser({ id: 1, paraphraseHash: 'the old hash' }, 0))
  const terminal = openTerminal(t, ['user', 'paraphrase', '1'], folder)
  await terminal.shows('Passphrase of user 1')
  terminal.type(`${SECRET}${CTRL_C}`)
  assert.equal(await terminal.ended, 1)
  const user = await inStore(folder, async (store) => store.findUser(1))
  assert.equal(user?.paraphraseHash, 'the old hash')
})

test('a user that exists is refused before anything is asked', async (t) => {
  const folder = await folderWithDatabase(t)
  await inStore(folder, (store) => store.addUser({ id: 1, paraphraseHash: 'hash' }, 0))
  const terminal = openTerminal(t, ['user', 'add', '1'], folder)
  assert.equal(await terminal.ended, 1)
  assert.match(terminal.screen(), /^hydrant: User 1 [^\n]+\r\n$/)
  assert.deepEqual(await userIds(folder), [1])
})
