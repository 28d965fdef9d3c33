import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createInput } from '../../../src/api/index.ts'
import { JsonNumber } from '../../../src/json.ts'
import { Problem } from '../../../src/problem.ts'
import type { Store } from '../../../src/store/index.ts'
import { openStore } from '../../../src/store/open.ts'
import { modelOf, schemasOf } from '../../support/service.ts'
import { select } from '../../support/shapes.ts'
import { newSqlite, openFor } from '../../support/stores.ts'

const FORMER = `
access: { list: owner, all: everyone }
classes:
  Note: { properties: { text: string, number: integer } }
`
const CHANGED = `
access: { list: owner, all: everyone }
classes:
  Note: { properties: { state: { type: string, default: open }, text: string } }
`
/** Fewer are migrated before the process serves. */
const NOTES = 10_001

const inputOf = (api: string) => {
  const [cls] = modelOf(api).classes
  assert.ok(cls !== undefined)
  return createInput(cls, 'http://x.example/api')
}

/** A database with many notes under the former file. */
async function filled(t: TestContext): Promise<string> {
  const url = newSqlite(t)
  const store = await openStore(url, schemasOf(modelOf(FORMER)), { bulk: true })
  const { create } = inputOf(FORMER)
  const members = Array.from({ length: NOTES }, (_, index) => ({
    className: 'Note',
    member: {
      ...create({ text: `note ${index}`, number: new JsonNumber(`${index}`) }, `n${index}`, 0),
      owner: index % 2,
    },
  }))
  await store.members.addAll(members)
  await store.close()
  return url
}

const open = (t: TestContext, url: string, api: string): Promise<Store> =>
  openFor(t, url, schemasOf(modelOf(api)), { bulk: true })

const BY_STATE = select({ filters: [{ property: 'state', test: 'in', keys: ['open'] }], limit: 1 })
const isPending = (error: unknown) => error instanceof Problem && error.code === 'KeysPending'

test('members beyond ten thousand are converted while they are served, also after a restart halfway', async (t) => {
  const url = await filled(t)
  const first = await open(t, url, CHANGED)
  await assert.rejects(async () => first.members.list('Note', BY_STATE), isPending)
  assert.equal((await first.members.find('Note', 'n9'))?.body, ',"state":"open","text":"note 9"')
  await first.catchUp.turn()
  assert.ok((first.catchUp.progress()[0]?.percent ?? 0) > 0)
  await first.close()

  const { members, catchUp, close } = await open(t, url, CHANGED)
  await assert.rejects(async () => members.list('Note', BY_STATE), isPending)
  const ofOwner = select({ owner: 1, limit: 2 })
  const bodies = async () => (await members.list('Note', ofOwner)).members.map(({ body }) => body)
  const expected = [',"state":"open","text":"note 1"', ',"state":"open","text":"note 3"']
  assert.deepEqual(await bodies(), expected)
  const { version } = (await members.find('Note', 'n1')) ?? { version: 0 }
  while (await catchUp.turn());
  assert.deepEqual(catchUp.progress(), [])
  assert.deepEqual(await bodies(), expected)
  assert.equal((await members.find('Note', 'n1'))?.version, version)
  assert.equal((await members.list('Note', { ...BY_STATE, count: 'exact' })).total, NOTES)
  await close()

  // Back to the former file: what it knows was kept.
  const back = await open(t, url, FORMER)
  assert.equal((await back.members.find('Note', 'n9'))?.body, ',"text":"note 9","number":9')
  const numbered = select({ filters: [{ property: 'number', test: 'in', keys: [9] }] })
  await assert.rejects(async () => back.members.list('Note', numbered), isPending)
})
