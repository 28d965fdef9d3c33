import assert from 'node:assert/strict'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort, hydrant } from '../cli/command.ts'
import { codeBlock, codeBlocks, ROOT } from '../support/markdown.ts'
import { HYDRANT, redirectCurl, run, start } from '../support/processes.ts'
import { temporaryFolder } from '../support/service.ts'

const PAGE = 'docs/access.md'
const PASSPHRASES = ['what the editor typed', 'what the author typed', 'what the reader typed']
const FILES = ['newsroom.yaml', 'newsroom.ndjson', 'newsroom-drafts.ndjson']

const linesOf = (part: string): string[][] =>
  codeBlock(PAGE, 'text', part)
    .trim()
    .split('\n')
    .map((line) => line.split(' ').slice(1))

test('The story of docs/access.md works as printed: an author writes, an editor publishes, a reader reads', async (t) => {
  const folder = temporaryFolder(t)
  for (const file of FILES) cpSync(join(ROOT, 'examples', file), join(folder, file))
  const rules = readFileSync(join(folder, 'newsroom.yaml'), 'utf8')
  for (const block of codeBlocks(PAGE, 'yaml', '1.')) assert.ok(rules.includes(block), block)

  /** All blocks in one shell, as a reader types them; `hydrant` is the built command. */
  const type = async (blocks: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const command = `hydrant() { '${process.execPath}' '${HYDRANT}' "$@"; }`
    const script = [command, ...blocks.map((block) => `${block}\nprintf '\\036'`)].join('\n')
    const { status, stdout, stderr } = await run('bash', ['-ec', script], { cwd: folder, env })
    assert.equal(status, 0, stderr)
    return stdout.split('\u001e').map((text) => text.trim())
  }
  const numbered = ['1.', '2.', '3.', '4.', '5.', '6.'].flatMap((section) => codeBlocks(PAGE, 'sh', section))
  const [check = '', list = '', imports = '', ...story] = numbered
  const [checked = ''] = await type([check])
  assert.ok(checked.includes(codeBlock(PAGE, 'text', 'A user with the role author').trim()), checked)

  for (const [index, add] of linesOf('user add').entries()) {
    const added = await hydrant(add, { cwd: folder, input: `${PASSPHRASES[index]}\n` })
    assert.equal(added.status, 0, added.stderr)
  }
  const [users = '', imported = ''] = await type([list, imports])
  assert.match(users, /^1 .* editor$/m)
  assert.match(users, /^2 .* author$/m)
  assert.match(users, /^3 .* -$/m)
  assert.match(imported, /^4 added[^\n]*\n1 added/)

  const port = await freePort()
  const flags = ['--base-url', 'http://localhost:8080/api', '--port', String(port)]
  const [serve = []] = linesOf('hydrant serve')
  await start(t, [HYDRANT, ...serve, ...flags], /listening/, { cwd: folder })
  const typed = Object.fromEntries(PASSPHRASES.map((text, index) => [`PASSPHRASE_${index + 1}`, text]))
  const env = { ...redirectCurl(folder, 8080, port), ...typed }

  const both = 'author $API/drafts; editor $API/drafts'
  const [tokens, written, refused, hidden, notWritten, published, allowed, becomes, rest] = story
  assert.equal(rest, undefined)
  const blocks = [tokens, written, refused, hidden, both, notWritten, published, allowed, becomes]
  const said = await type(
    blocks.map((block) => block ?? ''),
    env,
  )
  const [, change, publish = '', unseen = '', seen = '', writing = '', steps, offered = '', role] = said
  assert.equal(change, '200')
  assert.deepEqual(JSON.parse(publish), JSON.parse(codeBlock(PAGE, 'json', 'articles')))
  const [status, page = ''] = unseen.split(/\n(.*)/s)
  assert.equal(status, '404')
  assert.deepEqual([JSON.parse(page).totalItems, JSON.parse(page).member], [0, []])
  for (const shown of seen.split('\n')) assert.equal(JSON.parse(shown).totalItems, 2, shown)
  assert.deepEqual(JSON.parse(writing), JSON.parse(codeBlock(PAGE, 'json', 'drafts')))
  assert.equal(steps, '204\n200')
  const [forReader = '', forEditor = ''] = offered.split('\n')
  assert.doesNotMatch(forReader, /PATCH|PUT|DELETE/)
  assert.match(forReader, /GET/)
  for (const method of ['GET', 'PATCH', 'PUT', 'DELETE']) assert.ok(forEditor.includes(method), forEditor)
  assert.equal(role, 'User 3 has the role author from now on.\n201')
})
