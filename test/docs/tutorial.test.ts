import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { freePort, hydrant } from '../cli/command.ts'
import { codeBlock, codeBlocks, ROOT } from '../support/markdown.ts'
import { HYDRANT, redirectCurl, run, start } from '../support/processes.ts'
import { temporaryFolder } from '../support/service.ts'

const PAGE = 'docs/tutorial.md'
const PASSPHRASE = 'what a newcomer typed'
const GUEST_PASSPHRASE = 'what a guest typed'

/** The folder of the page with its API file and user, served; and the environment that its shell blocks need. */
async function follow(t: TestContext) {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'api.yaml'), codeBlock(PAGE, 'yaml', 'Garden'))
  const [add = [], serve = []] = codeBlock(PAGE, 'text', 'user add')
    .trim()
    .split('\n')
    .map((line) => line.split(' ').slice(1))
  const [guest = []] = codeBlock(PAGE, 'text', 'guest')
    .split('\n')
    .map((line) => line.split(' ').slice(1))
  for (const [args, passphrase] of [
    [add, PASSPHRASE],
    [guest, GUEST_PASSPHRASE],
  ] as const) {
    const added = await hydrant(args, { cwd: folder, input: `${passphrase}\n` })
    assert.equal(added.status, 0, added.stderr)
  }
  const port = await freePort()
  const flags = ['--base-url', 'http://localhost:8080/api', '--port', String(port)]
  await start(t, [HYDRANT, ...serve, ...flags], /listening/, { cwd: folder })
  const businessPort = await serveBusiness(t, folder)
  const ports = { ...redirectCurl(folder, 8080, port), ...redirectCurl(folder, 9000, businessPort) }
  return { folder, env: { ...ports, PASSPHRASE, GUEST_PASSPHRASE } }
}

/** The second server of the page. */
async function serveBusiness(t: TestContext, folder: string): Promise<number> {
  const port = await freePort()
  const [, ...words] = codeBlock(PAGE, 'text', 'business.yaml').trim().split(' ')
  const typed = words.map((word) => word.replace('../hydrant', ROOT).replace(/^900[01]$/, '0'))
  const flags = ['--port', String(port), '--base-url', 'http://localhost:9000/api']
  await start(t, [HYDRANT, ...typed, ...flags], /listening/, { cwd: folder })
  return port
}

/** Waits until a user without a role may not write, as a reader who types does. */
const RULES_APPLIED = `for attempt in $(seq 100)
do
  [ "$(curl -s -o /dev/null -w '%{http_code}' -H "X-Authorization: $TOKEN" $API/plants --json '{}')" = 403 ] && break
  sleep 0.1
done`

/** All shell blocks in one shell, as a reader types them; `hydrant` is the built command. */
async function runBlocks(folder: string, env: Readonly<Record<string, string>>): Promise<string[]> {
  const command = `hydrant() { '${process.execPath}' '${HYDRANT}' "$@"; }`
  const blocks = codeBlocks(PAGE, 'sh').map(
    (block) => `${block}\n${block.includes('roles:') ? RULES_APPLIED : ''}\nprintf '\\036'`,
  )
  const script = [command, ...blocks].join('\n')
  const { status, stdout, stderr } = await run('bash', ['-ec', script], { cwd: folder, env })
  assert.equal(status, 0, stderr)
  return stdout.split('\u001e').map((text) => text.trim())
}

interface Named {
  readonly name: string
}

/** What the page says of `changedAt` and `changedBy`. */
async function hasNoUser(folder: string, env: Readonly<Record<string, string>>): Promise<void> {
  const script = 'curl -sS -H "Accept: application/json" http://localhost:9000/api/timeentries'
  const { stdout } = await run('bash', ['-ec', script], { cwd: folder, env })
  const [entry] = JSON.parse(stdout).member
  assert.deepEqual(['changedAt' in entry, 'changedBy' in entry], [true, false])
}

test('The tutorial works from an empty folder to a link, a filter and a conditional update, and describes the search template correctly', async (t) => {
  const { folder, env } = await follow(t)
  const blocks = await runBlocks(folder, env)
  const [checked, , , bed, plants, imported, mistake, found, etag, updates, removal, rights, , rules] = blocks

  assert.match(checked ?? '', /api\.yaml/)
  assert.deepEqual([bed, plants, etag], ['', '', ''])
  assert.match(imported ?? '', /^2 added/)
  assert.deepEqual(JSON.parse(mistake ?? ''), JSON.parse(codeBlock(PAGE, 'json', '422')))
  const page = JSON.parse(found ?? '')
  assert.equal(page.totalItems, 2)
  assert.deepEqual(
    page.member.map(({ name }: Named) => name),
    ['Rose', 'Lavender'],
  )
  const [first, second] = (updates ?? '').split('\n')
  assert.equal(first, '200')
  assert.deepEqual(JSON.parse(second ?? ''), JSON.parse(codeBlock(PAGE, 'json', '412')))
  assert.match(JSON.parse(removal ?? '')['409'], /\/plants\//)
  assert.match(rights ?? '', /A user with the role gardener may/)
  const [seen, refused, changed] = (rules ?? '').split('\n').filter((line) => line !== '')
  assert.deepEqual([seen, changed], ['200', '200'])
  assert.deepEqual(JSON.parse(refused ?? ''), JSON.parse(codeBlock(PAGE, 'json', '403')))
  const [customers = '', invoice = '', reverse = '', cascade = ''] = blocks.slice(14)
  const names = customers.split('\n').map((line) => JSON.parse(line).member.map(({ name }: Named) => name))
  assert.deepEqual(names.slice(0, 2), [['Müller & Söhne'], ['Østby Arkitekter']])
  assert.deepEqual(names[2].slice(-3), ['Müller & Söhne', 'Østby Arkitekter', 'Zebra Print'])
  assert.deepEqual(JSON.parse(invoice), JSON.parse(codeBlock(PAGE, 'json', 'unique together')))
  assert.equal(reverse, codeBlock(PAGE, 'text', '"invoices":').trim())
  const [preview = '', ...statuses] = cascade.split('\n')
  assert.deepEqual(JSON.parse(preview).deleted, ['http://localhost:9000/api/projects/apple-brand'])
  assert.deepEqual(statuses, ['204', '404'])
  await hasNoUser(folder, env)

  // What the page says of the search template is in it.
  const script = [
    ...codeBlocks(PAGE, 'sh').slice(1, 3),
    "api $API/plants -H 'Accept: application/ld+json'",
  ].join('\n')
  const { stdout } = await run('bash', ['-ec', script], { cwd: folder, env })
  const variables = JSON.parse(stdout).search.mapping.map(({ variable }: { variable: string }) => variable)
  for (const named of ['name.startsWith', 'name.contains', 'planted.lt', 'planted.exists', 'q'])
    assert.ok(variables.includes(named), named)
})
