import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/config/index.ts'
import { loadModel } from '../../src/service/index.ts'
import { modelOf } from '../support/service.ts'

const OPEN = 'classes: { Topic: { properties: { name: string } } }'

const config = readConfig({ auth: false }, {})

type File = Parameters<typeof modelOf>

const load = (...file: File) => loadModel(modelOf(...file), config)

// contract: `serve --no-auth` with access rules
test('without authentication, a file with roles and no rules is served as one without roles', async () => {
  assert.deepEqual(await load(`roles: [editor]\n${OPEN}`), await load(OPEN))
  assert.deepEqual(await load(`roles: [editor]\naccess: {}\n${OPEN}`), await load(OPEN))
})

const RULED: File[] = [
  [`access: { write: nobody }\n${OPEN}`],
  ['classes: { Topic: { access: { delete: owner }, properties: { name: string } } }'],
  ['classes: { Topic: { properties: { name: { type: string, write: nobody } } } }'],
  [
    'roles: [editor]\nclasses: { Topic: { label: id, properties: { id: string, name: { type: string, view: editor } } } }',
  ],
  [`roles: [editor]\n${OPEN}`, { Topic: { publish: { access: 'editor', handle: () => undefined } } }],
]

// contract: `serve --no-auth` with access rules does not start
test('without authentication, rules for all classes, a class, a property or an operation are refused', async () => {
  for (const [api, operations] of RULED)
    await assert.rejects(load(api, operations), { code: 'RulesWithoutUsers' }, api)
})
