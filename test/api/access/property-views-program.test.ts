import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OperationCall, Program } from '../../../src/api/index.ts'
import { createDocumentation, permittedModel, withAccounts } from '../../../src/vocabulary/index.ts'
import { newDatabase } from '../../support/databases.ts'
import { modelOf } from '../../support/service.ts'
import { CREATE } from '../newsroom.ts'
import { AS_PROBLEM, codesOf, type Json } from '../signed-in.ts'
import { serveUsers } from '../users.ts'

const API = `
roles: [clerk]
classes:
  Job:
    properties:
      title: string
      rate: { type: integer, default: 5, view: clerk, write: clerk }
`

test('hooks and operations of a program see everything, and its answer is cut', async (t) => {
  const told: unknown[] = []
  const tell = (call: { readonly member: unknown }) => void told.push((call.member as Json).rate)
  const program: Program = {
    hooks: { Job: { beforeWrite: tell } },
    operations: {
      Job: {
        look: { returns: 'Job', access: ['everyone'], handle: (call: OperationCall) => call.member },
        value: {
          expects: 'Job',
          returns: 'Job',
          access: ['everyone'],
          handle: ({ member, body }: OperationCall) => {
            tell({ member })
            return { title: (body as Json).title, rate: 8 }
          },
        },
      },
    },
  }
  const { as } = await serveUsers(t, { ann: [11], clerk: [12, 'clerk'] }, { api: API, program })
  const created = await as.ann.send('PUT', '/jobs/1', { title: 'x' }, CREATE)
  assert.deepEqual([created.status, (created.json() as Json).rate], [201, undefined])
  await as.clerk.send('PATCH', '/jobs/1', { rate: 7 })
  await as.ann.send('PATCH', '/jobs/1', { title: 'y' })
  assert.deepEqual(told.splice(0), [5, 7, 7])
  for (const [name, body] of [
    ['look', undefined],
    ['value', { title: 'z' }],
  ] as const) {
    const anns = await as.ann.send('POST', `/jobs/1/${name}`, body)
    assert.equal(anns.status, 200, anns.body)
    assert.doesNotMatch(anns.body, /rate/, name)
    const clerks = await as.clerk.send('POST', `/jobs/1/${name}`, body)
    assert.equal((clerks.json() as Json).rate, name === 'look' ? 7 : 8)
  }
  assert.deepEqual(told, [7, 7])
  const refused = await as.ann.send('POST', '/jobs/1/value', { rate: 1 }, AS_PROBLEM)
  assert.equal(codesOf(refused), 'rate: UnknownProperty')
})

test('a hook that leaves a value as it is causes no violation of a value that the user may not see or write', async (t) => {
  const api = (rules: string) => `
roles: [clerk]
classes:
  Job:
    label: title
    properties:
      title: string
      count: { type: integer, minimum: 1 }
      note: { type: string, view: clerk${rules} }
      code: { type: string, view: clerk, unique: true }
      fixed: { type: string, write: clerk${rules} }
`
  const beforeWrite = ({ member }: { readonly member: unknown }) => {
    const { title, ...rest } = member as Json
    return { ...rest, title, count: title === 'y' ? 0 : 1 }
  }
  const program: Program = { hooks: { Job: { beforeWrite } } }
  const db = newDatabase(t)
  const before = await serveUsers(t, { clerk: [12, 'clerk'] }, { api: api(''), db })
  const job = { title: 'x', note: 'a b c d e', code: 'c', fixed: 'f' }
  assert.equal((await before.as.clerk.send('PUT', '/jobs/1', job, CREATE)).status, 201)
  await before.close()
  const { as } = await serveUsers(t, { ann: [11] }, { api: api(', minLength: 30'), db, program })
  const refused = await as.ann.send('PATCH', '/jobs/1', { title: 'y' }, AS_PROBLEM)
  assert.equal(codesOf(refused), 'count: BelowMinimum')
  const title = Array.from({ length: 19_998 }, (_, index) => `w${index}`).join(' ')
  const changed = await as.ann.send('PATCH', '/jobs/1', { title }, AS_PROBLEM)
  assert.equal(changed.status, 200, changed.body)
})

test('what nobody can read and some may write is documented so', () => {
  const model = withAccounts(
    modelOf('roles: [boss]\naccounts: { manage: boss }\nclasses: { A: { properties: { b: string } } }'),
  )
  const flagsFor = (...roles: string[]) => {
    const described = createDocumentation(permittedModel(model, roles), 'http://x.example', {
      ...{ session: true, isOpen: false, problemTypes: [] },
    })
    const account = described.supportedClass.find((one) => one['@id'].endsWith('#Account'))
    const properties = account?.supportedProperty as Json[]
    return properties.map((one) => [one.title, one.readable, one.writeable].join(' '))
  }
  const read = ['createdAt true false', 'signedInAt true false', 'tokens true false']
  assert.deepEqual(flagsFor('boss'), [
    'userId true true',
    'name true true',
    'roles true true',
    ...read,
    'paraphrase false true',
  ])
  assert.deepEqual(flagsFor(), ['userId true false', 'name true false', 'roles true false', ...read])
})
