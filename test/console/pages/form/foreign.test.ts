import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { openBrowser } from '../../../support/browser.ts'
import { goTo, serveConsole } from '../../../support/console.ts'
import { soakTest } from '../../../support/soak.ts'

type Json = Readonly<Record<string, unknown>>

const CONTEXT = {
  hydra: 'http://www.w3.org/ns/hydra/core#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  ex: 'http://example.org/',
}

const supported = (name: string, property: Json) => ({
  'hydra:title': name,
  'hydra:property': { '@id': `ex:${name}`, ...property },
})

const operations = (...methods: string[]) =>
  methods.map((method) => ({ '@type': 'hydra:Operation', 'hydra:method': method }))

const link = (name: string, of: string) =>
  supported(name, {
    '@type': 'hydra:Link',
    'hydra:supportedOperation': operations('GET', 'POST'),
    'rdfs:range': [
      { '@id': 'hydra:Collection' },
      {
        'http://www.w3.org/2002/07/owl#equivalentClass': {
          'http://www.w3.org/2002/07/owl#allValuesFrom': { '@id': of },
        },
      },
    ],
  })

/** As others write it: no shapes, no lengths, nothing about how many, some ranges missing. */
const DOCUMENTATION = {
  '@context': CONTEXT,
  '@id': '/api/doc',
  '@type': 'hydra:ApiDocumentation',
  'hydra:title': 'Elsewhere',
  'hydra:supportedClass': [
    {
      '@id': 'ex:EntryPoint',
      'hydra:supportedProperty': [link('people', 'ex:Person'), link('teams', 'ex:Team')],
    },
    {
      '@id': 'ex:Team',
      'hydra:title': 'Team',
      'hydra:supportedOperation': operations('GET'),
      'hydra:supportedProperty': [supported('name', { 'rdfs:range': { '@id': 'xsd:string' } })],
    },
    {
      '@id': 'ex:Person',
      'hydra:title': 'Person',
      'hydra:supportedOperation': operations('GET', 'PUT'),
      'hydra:supportedProperty': [
        { ...supported('name', { 'rdfs:range': { '@id': 'xsd:string' } }), 'hydra:required': true },
        supported('age', { 'rdfs:range': { '@id': 'xsd:integer' } }),
        supported('team', { '@type': 'hydra:Link', 'rdfs:range': { '@id': 'ex:Team' } }),
        supported('nicknames', { 'rdfs:range': { '@id': 'xsd:string' } }),
        supported('remarks', {}),
      ],
    },
  ],
}

interface Elsewhere {
  readonly base: string
  readonly stored: Map<string, Json>
  readonly written: { readonly method: string; readonly path: string; readonly body: Json }[]
}

/** A Hydra API of another make: open, without ETags and search templates, and replacing instead of patching. */
async function serveElsewhere(t: TestContext): Promise<Elsewhere> {
  const stored = new Map<string, Json>()
  const written: Elsewhere['written'] = []
  const represent = (path: string) => {
    const type = path.startsWith('/api/people') ? 'ex:Person' : 'ex:Team'
    return {
      '@context': { ...CONTEXT, '@vocab': 'http://example.org/' },
      '@id': path,
      '@type': type,
      ...stored.get(path),
    }
  }
  const answer = async (request: IncomingMessage): Promise<[status: number, body?: Json]> => {
    const path = (request.url ?? '').replace(/\/$/, '')
    const method = request.method ?? ''
    if (method === 'OPTIONS') return [204]
    if (method === 'POST' || method === 'PUT') {
      const { '@context': _, '@id': __, '@type': ___, ...body } = JSON.parse(await text(request)) as Json
      const target = method === 'POST' ? `${path}/${stored.size + 1}` : path
      written.push({ method, path, body })
      stored.set(target, body)
      return [method === 'POST' ? 201 : 200, represent(target)]
    }
    if (path === '/api') {
      return [
        200,
        {
          '@context': { ...CONTEXT, '@vocab': 'http://example.org/' },
          '@id': '/api',
          '@type': 'ex:EntryPoint',
          people: { '@id': '/api/people' },
          teams: { '@id': '/api/teams' },
        },
      ]
    }
    if (path === '/api/doc') return [200, DOCUMENTATION]
    if (stored.has(path)) return [200, represent(path)]
    if (!/^\/api\/(people|teams)$/.test(path)) return [404, { title: 'Not here' }]
    const members = [...stored.keys()].filter((one) => one.startsWith(`${path}/`)).map(represent)
    return [200, { '@context': CONTEXT, '@id': path, '@type': 'hydra:Collection', 'hydra:member': members }]
  }
  const server = createServer(async (request, response) => {
    const [status, body] = await answer(request)
    response.writeHead(status, {
      'Content-Type': 'application/ld+json',
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Headers': '*',
      'Access-Control-Allow-Methods': '*',
      'Access-Control-Expose-Headers': 'Link',
      Link: '</api/doc>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"',
    })
    response.end(body && JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { base: `http://localhost:${(server.address() as AddressInfo).port}/api`, stored, written }
}

soakTest('forms for an API of another make, which describes far less, lose no values', async (t) => {
  const { base, stored, written } = await serveElsewhere(t)
  stored.set('/api/teams/1', { name: 'Red' })
  stored.set('/api/teams/2', { name: 'Blue' })
  stored.set('/api/people/3', {
    name: 'Ann',
    age: '40',
    team: '/api/teams/1',
    nicknames: ['A', 'Annie'],
    remarks: { deep: [1] },
    undocumented: true,
  })
  const address = await serveConsole(t, base)
  const { page } = await openBrowser(t)
  await page.goto(`${address}#/create/people`)

  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Bob')
  await page.getByLabel('Age').fill('41')
  await page.getByLabel('Remarks').fill('{"a": 1}')
  await page.getByRole('combobox', { name: 'Team' }).fill('blu')
  await page.getByRole('option', { name: 'Blue' }).click()
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Bob' }).waitFor()
  assert.deepEqual(written.pop(), {
    method: 'POST',
    path: '/api/people',
    body: { name: 'Bob', age: 41, remarks: { a: 1 }, team: `${base}/teams/2` },
  })

  await goTo(page, '/edit/people/3')
  await page.getByLabel('Age').fill('42')
  await page.getByRole('button', { name: 'Remove nickname 1' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('status').filter({ hasText: 'Ann was saved.' }).waitFor()
  assert.deepEqual(written.pop(), {
    method: 'PUT',
    path: '/api/people/3',
    body: {
      name: 'Ann',
      age: '42',
      team: '/api/teams/1',
      nicknames: ['Annie'],
      remarks: { deep: [1] },
      undocumented: true,
    },
  })

  // Without ETags one conflict is told from the next all the same: what was chosen then is not chosen now.
  const change = (values: Json) => stored.set('/api/people/3', { ...stored.get('/api/people/3'), ...values })
  change({ remarks: 'one\r\ntwo\r\nthree' })
  await goTo(page, '/edit/people/3')
  await page.getByLabel('Age').fill('50')
  await page.getByLabel('Remarks').press('ControlOrMeta+End')
  await page.getByLabel('Remarks').press('!')
  change({ age: '43' })
  const age = page.getByRole('group', { name: 'Age changed by both' })
  await page.getByRole('button', { name: 'Save' }).click()
  await age.getByRole('radio', { name: 'Your value' }).check()
  change({ age: '44' })
  await page.getByRole('button', { name: 'Save' }).click()
  await age.getByText('44', { exact: true }).waitFor()
  assert.equal(await age.getByRole('radio', { checked: true }).count(), 0)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('You have both changed age: choose one of the values.').waitFor()
  assert.equal(written.length, 0)
  await age.getByRole('radio', { name: 'Current value' }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('status').filter({ hasText: 'Ann was saved.' }).waitFor()
  const { age: kept, remarks } = written.pop()?.body ?? {}
  assert.deepEqual([kept, remarks], ['44', 'one\r\ntwo\r\nthree!'])
  await page.goto('about:blank')
})
