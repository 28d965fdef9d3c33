import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStory } from './story.ts'

test('The steps of docs/users.md work as printed', async (t) => {
  const { blocks, write, linesOf, type, addUsers, serve } = openStory(t, 'docs/users.md')
  write('api.yaml', blocks('yaml')[0])
  const paraphrases = await addUsers(linesOf('user add 1'))
  const env = { ...(await serve(linesOf('serve')[0] ?? [])), ...paraphrases }
  const [accounts = '', own = '', forgotten = '', programs = '', leaves = '', more] = blocks('sh')
  assert.equal(more, undefined)
  // The reader copies the paraphrase out of the response.
  const [asked = '', ...start] = accounts.trim().split('\n').toReversed()
  const copying = [
    ...start.toReversed(),
    `ADDED=$(${asked})`,
    'printf %s "$ADDED"',
    `MADE=$(printf %s "$ADDED" | sed 's/.*"paraphrase":"\\([^"]*\\)".*/\\1/')`,
  ]
  const steps = [copying.join('\n'), own, forgotten, programs, leaves]
  const [added = '', changed, reset, machine = '', left = ''] = await type(steps, env)
  const { paraphrase, createdAt, operation, ...account } = JSON.parse(added)
  const { paraphrase: _words, ...printed } = JSON.parse(blocks('json')[0] ?? '')
  assert.deepEqual(account, printed)
  assert.equal(paraphrase.split(' ').length, 5)
  assert.deepEqual([changed, reset], ['204', '200'])

  const [, reading = '', found = ''] = machine.split('\n').filter((line) => line !== '')
  assert.equal(JSON.parse(reading).from, 'http://localhost:8080/api/accounts/10')
  assert.equal(JSON.parse(found).totalItems, 1)
  const [removed, said = '', readings = ''] = left.split('\n').filter((line) => line !== '')
  assert.equal(removed, '204')
  assert.match(said, /^User 10 was removed; 1 token ended\.$/)
  assert.equal(JSON.parse(readings).totalItems, 1)
})
