import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { until } from '../../library/shop.ts'
import { type Receiver, startReceiver, verify } from '../../support/receiver.ts'
import { makeCertificate } from '../certificate.ts'
import { assertRefused, folderWithApi, hydrant, serveIn } from '../command.ts'

const API = 'classes: { Note: { properties: { text: string } } }'
const SECRETS = [1, 2].map((fill) => `whsec_${Buffer.alloc(32, fill).toString('base64')}`)
const [SECRET = '', OLD_SECRET = ''] = SECRETS
const FLAGS = ['--no-auth', '--webhooks', 'webhooks.yaml', '--log-format', 'json', '--log-level', 'debug']

/** A folder with an API file and a list of one webhook, whose secret is being rotated. */
function folderWithWebhook(t: TestContext, url: string): string {
  const folder = folderWithApi(t, API)
  writeFileSync(join(folder, 'notes.secret'), `${SECRETS.join('\n')}\n`, { mode: 0o600 })
  writeFileSync(
    join(folder, 'webhooks.yaml'),
    `- { name: notes, url: "${url}", classes: [Note], secretFile: notes.secret, include: object }\n`,
  )
  return folder
}

const addNote = (base: string, text: string): Promise<Response> =>
  fetch(`${base}/notes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  })

const textsOf = ({ received }: Receiver) =>
  received.map((request) => (verify(SECRET, request).object as { text?: string }).text)

// contract: **Webhooks** are followers that need no code
// contract: Only `https:` or loopback, no redirect
// contract: `--webhooks`, `--webhook-allow` ¦
test('over TLS that is verified, past the proxy of the environment, signed with both secrets', async (t) => {
  const proxy = await startReceiver(t)
  const folder = folderWithWebhook(t, '')
  const { cert } = await makeCertificate(folder)
  const key = readFileSync(join(folder, 'key.pem'))
  const receiver = await startReceiver(t, undefined, { tls: { cert, key } })
  const list = join(folder, 'webhooks.yaml')
  writeFileSync(
    list,
    readFileSync(list, 'utf8').replace('""', `"https://localhost:${receiver.port}/?key=hush"`),
  )
  const url = proxy.url('')
  const env = { NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: url, HTTP_PROXY: url, https_proxy: url }
  const distrusting = await serveIn(t, folder, FLAGS, env)
  await addNote(distrusting.base, 'first')
  await until(() => distrusting.output().includes('DEPTH_ZERO_SELF_SIGNED_CERT'))
  assert.equal(await distrusting.stop(), 0)
  assert.equal(receiver.received.length, 0)

  const trusting = await serveIn(t, folder, FLAGS, {
    ...env,
    NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem'),
  })
  await until(() => receiver.received.length === 1)
  assert.deepEqual(textsOf(receiver), ['first'])
  const request = receiver.received[0] ?? assert.fail()
  assert.equal(request.path, '/?key=hush')
  assert.deepEqual(verify(OLD_SECRET, request), verify(SECRET, request))
  assert.equal(await trusting.stop(), 0)
  assert.equal(proxy.connections(), 0)
  for (const { output } of [distrusting, trusting])
    for (const secret of [...SECRETS, 'hush', ...SECRETS.map((one) => one.slice('whsec_'.length))])
      assert.ok(!output().includes(secret), 'no secret is logged')
})

test('a receiver that hangs holds up no exit, and gets the event again after the start', async (t) => {
  let status = 0
  const receiver = await startReceiver(t, () => status)
  const folder = folderWithWebhook(t, receiver.url())
  const first = await serveIn(t, folder, FLAGS)
  await addNote(first.base, 'slow')
  await until(() => receiver.received.length === 1)
  assert.equal(await first.stop(), 0)
  assert.match(first.output(), /Hydrant was stopped before 127\.0\.0\.1 responded\./)
  const db = ['--db', `sqlite:${join(folder, 'hydrant.db')}`]
  const listed = await hydrant(['follower', 'list', '--json', ...db])
  assert.deepEqual(
    JSON.parse(listed.stdout).map(({ name, waiting }: Record<string, unknown>) => [name, waiting]),
    [['notes', 1]],
  )
  status = 410
  const second = await serveIn(t, folder, FLAGS)
  await until(() => second.output().includes('follower resume'))
  status = 204
  while ((await hydrant(['follower', 'resume', 'notes', ...db])).status !== 0);
  await until(() => receiver.received.length === 3)
  assert.deepEqual(textsOf(receiver), ['slow', 'slow', 'slow'])
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
  assert.equal(await second.stop(), 0)
})

test('a list that cannot be used is refused before the database is opened, each problem with its line', async (t) => {
  const folder = folderWithWebhook(t, 'https://10.0.0.7/hook')
  const refused = await hydrant(['serve', ...FLAGS], { cwd: folder })
  assert.equal(refused.status, 1)
  assert.equal(
    refused.stderr,
    'webhooks.yaml:1:23: 10.0.0.7 is in a private network; allow the host with --webhook-allow 10.0.0.7\n',
  )
  const wrong = ['--webhook-allow', 'https://10.0.0.7']
  assertRefused(
    await hydrant(['serve', ...FLAGS, ...wrong], { cwd: folder }),
    2,
    '--webhook-allow',
    '10.0.0.7',
  )
  const allowed = ['--webhook-allow', 'billing.internal', '--webhook-allow', '10.0.0.7']
  const serving = await serveIn(t, folder, [...FLAGS, ...allowed])
  assert.equal(await serving.stop(), 0)
})

test('with --watch, a changed list takes effect with a changed API file, unless something is wrong with it', async (t) => {
  const [before, after] = await Promise.all([startReceiver(t), startReceiver(t)])
  const folder = folderWithWebhook(t, before.url())
  const list = readFileSync(join(folder, 'webhooks.yaml'), 'utf8')
  const change = (webhooks: string, property: string) => {
    writeFileSync(join(folder, 'webhooks.yaml'), webhooks)
    writeFileSync(join(folder, 'api.yaml'), API.replace('text:', `${property}: string, text:`))
  }
  const { base, output, stop } = await serveIn(t, folder, [...FLAGS, '--watch'])
  change(list.replace('[Note]', '[Nott]'), 'one')
  await until(() => output().includes('Nott'))
  await addNote(base, 'first')
  await until(() => before.received.length === 1)
  change(list.replace(before.url(), after.url()), 'two')
  await until(() => output().includes('two'))
  await addNote(base, 'second')
  await until(() => after.received.length === 1)
  assert.deepEqual(textsOf(after), ['second'])
  assert.equal(before.received.length, 1)
  assert.equal(await stop(), 0)
})
