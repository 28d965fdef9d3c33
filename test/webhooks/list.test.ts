import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Problem } from '../../src/problem.ts'
import { readWebhooks } from '../../src/webhooks/list.ts'
import { temporaryFolder } from '../support/folders.ts'
import { inShort } from '../support/problems.ts'

const folder = temporaryFolder({ after: (end) => after(end as () => void) })
const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
writeFileSync(join(folder, 'a.secret'), `${SECRET}\n`)
writeFileSync(join(folder, 'two.secret'), `${SECRET}\n${SECRET}\n`)
writeFileSync(join(folder, 'bad.secret'), 'whsec_open-sesame\n')
mkdirSync(join(folder, 'folder.secret'))

const CONTEXT = { classes: ['Order', 'Customer'], followers: ['mail'], allowed: ['inside.example'] }

let files = 0

/** The webhooks of a file in the folder. */
function readFileWith(yaml: string) {
  const path = join(folder, `webhooks-${files++}.yaml`)
  writeFileSync(path, yaml)
  return readWebhooks(path, CONTEXT)
}

/** Its problems, one in a line. */
const problemsOf = (reading: Promise<unknown>): Promise<string> =>
  reading.then(
    () => 'none',
    (error) => (error instanceof Problem ? error.violations.map(inShort).join('\n') : assert.fail(error)),
  )

test('a file lists webhooks, and names their secrets from its own folder', async () => {
  const webhooks = await readFileWith(`
- name: billing
  url: https://billing.example/hook
  classes: [Order, Customer]
  secretFile: two.secret
  include: object
- { name: crm-2, url: http://localhost:3000, classes: Order, secretFile: a.secret }
`)
  const shown = webhooks.map(({ name, destination, classes, secrets, includesObject }) => ({
    ...{ name, url: destination.url.href, classes, includesObject },
    secrets: secrets.map((secret) => secret.length),
  }))
  assert.deepEqual(shown, [
    {
      name: 'billing',
      url: 'https://billing.example/hook',
      classes: ['Order', 'Customer'],
      includesObject: true,
      secrets: [24, 24],
    },
    {
      name: 'crm-2',
      url: 'http://localhost:3000/',
      classes: ['Order'],
      includesObject: false,
      secrets: [24],
    },
  ])
})

test('an empty list has no webhooks', async () => {
  assert.deepEqual(await readFileWith('[]'), [])
})

/** A webhook without a mistake, but for what is given. */
const line = (more: Readonly<Record<string, string>> = {}): string => {
  const keys = {
    name: 'billing',
    url: 'https://billing.example',
    classes: '[Order]',
    secretFile: 'a.secret',
    ...more,
  }
  const entries = Object.entries(keys).filter(([, value]) => value !== '')
  return `- { ${entries.map(([key, value]) => `${key}: ${value}`).join(', ')} }`
}

/** Files, and their problems. */
const PROBLEMS: [yaml: string, problems: string][] = [
  ['', '1:1 EmptyWebhooksFile'],
  ['{ name: billing }', '1:1 WebhooksNotAList'],
  ['webhooks', '1:1 WebhooksNotAList'],
  ['- [', '1:3 UnclosedBracket([, ])'],
  ['- billing', '1:3 NotAMap(webhook)'],
  ['- {}', ['name', 'url', 'classes', 'secretFile'].map((key) => `1:3 MissingWebhookKey(${key})`).join('\n')],
  [line({ secret: SECRET }), '1:90 UnknownKey(secret, → secretFile, webhook)'],
  [`${line()}\n- *a`, '2:3 AliasNotPossible(a)'],
  [line({ name: 'Billing' }), '1:11 InvalidWebhookName'],
  [line({ name: '2billing' }), '1:11 InvalidWebhookName'],
  [line({ name: 'bill_ing' }), '1:11 InvalidWebhookName'],
  [line({ name: `a${'b'.repeat(64)}` }), '1:11 InvalidWebhookName'],
  [line({ name: '7' }), '1:11 NotAText(name)'],
  [line({ name: 'mail' }), '1:11 DuplicateWebhookName(mail, follower)'],
  [`${line()}\n${line()}`, '2:11 DuplicateWebhookName(billing, webhook)'],
  [line({ url: 'http://billing.example' }), '1:25 PlainHttpWebhook'],
  [line({ url: 'https://10.0.0.1' }), '1:25 WebhookAddressNotAllowed(10.0.0.1, private)'],
  [line({ url: '443' }), '1:25 NotAText(url)'],
  [line({ classes: '[]' }), '1:59 NoWebhookClass'],
  [line({ classes: '[Ordre]' }), '1:60 NotAWebhookClass(Ordre, → Order)'],
  [line({ classes: '[Order, Order]' }), '1:67 DuplicateWebhookClass(Order)'],
  [line({ classes: '[7]' }), '1:60 NotAWebhookClass(of Order … Customer)'],
  [line({ classes: '{ Order: true }' }), '1:59 NotAWebhookClass(of Order … Customer)'],
  [line({ include: 'subject' }), '1:99 UnknownInclude'],
  [line({ include: 'true' }), '1:99 UnknownInclude'],
]

for (const [yaml, problems] of PROBLEMS)
  test(`${yaml.slice(0, 60) || 'nothing'}: ${problems.slice(0, 60)}`, async () => {
    assert.equal(await problemsOf(readFileWith(yaml)), problems)
  })

test('a file of secrets that cannot be used is a problem that says why, and repeats no secret', async (t) => {
  const at = (name: string) => problemsOf(readFileWith(line({ secretFile: name })))
  assert.match(await at('none.secret'), /^1:80 WebhookSecretUnreadable\(.*, ENOENT\)$/)
  assert.match(await at('folder.secret'), /^1:80 WebhookSecretUnreadable\(.*, EISDIR\)$/)
  const bad = await at('bad.secret')
  assert.match(bad, /^1:80 InvalidWebhookSecret\(/)
  assert.doesNotMatch(bad, /sesame/)
  if (process.getuid?.() === 0) return t.diagnostic('root may read every file')
  chmodSync(join(folder, 'two.secret'), 0)
  assert.match(await at('two.secret'), /EACCES/)
})

test('the list of a program has the same rules, and problems at paths', async () => {
  const declared = {
    name: 'billing',
    url: 'https://inside.example',
    classes: ['Order'],
    secretFile: join(folder, 'a.secret'),
  }
  const [webhook] = await readWebhooks([declared], CONTEXT)
  assert.ok(webhook?.destination.isAllowed)
  const wrong = [
    { ...declared, classes: ['Order', 'Custmer'] },
    { ...declared, includes: 'object' },
  ]
  assert.equal(
    await problemsOf(readWebhooks(wrong as Parameters<typeof readWebhooks>[0], CONTEXT)),
    '0.classes.1 NotAWebhookClass(Custmer, → Customer)\n' +
      '1.name DuplicateWebhookName(billing, webhook)\n' +
      '1.includes UnknownKey(includes, → include, webhook)',
  )
})
