import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createInput } from '../../../src/api/index.ts'
import { type JsonObject, readJson } from '../../../src/json.ts'
import { inSoak } from '../../support/soak.ts'
import { classOf } from '../queries.ts'
import { faultsIn } from '../writing.ts'
import { serveShop } from './shop.ts'

const API = `
classes:
  Part: { collection: false, properties: { unset: { type: Page, many: true, onDelete: unset } } }
  Page:
    properties:
      delete: { type: Page, many: true, onDelete: delete }
      unset: { type: Page, many: true, onDelete: unset }
      refuse: { type: Page, many: true }
      parts: { type: Part, many: true }
`
const SIZE = 7
const RULES = ['delete', 'unset', 'refuse', 'parts'] as const

interface Link {
  readonly from: number
  readonly to: number
  readonly rule: (typeof RULES)[number]
}

const page = fc.nat(SIZE - 1)
const anyLinks = fc.array(
  fc.record({
    from: page,
    to: page,
    rule: fc.oneof(
      { weight: 4, arbitrary: fc.constant('delete' as const) },
      { weight: 6, arbitrary: fc.constantFrom(...RULES) },
    ),
  }),
  { maxLength: 12 },
)

/** The pages that are left, or undefined where the removal of page 0 is refused. */
function expected(links: readonly Link[]): Set<number> | undefined {
  const gone = new Set([0])
  for (const one of gone)
    for (const { from, to, rule } of links) if (to === one && rule === 'delete') gone.add(from)
  if (links.some(({ from, to, rule }) => rule === 'refuse' && gone.has(to) && !gone.has(from)))
    return undefined
  return new Set(Array.from({ length: SIZE }, (_, index) => index).filter((index) => !gone.has(index)))
}

// contract: **What a removal does**
test('whatever members link to each other, a removal leaves what the rules say', async (t) => {
  const shop = await serveShop(t, { api: API })
  const { store, base, remove, get, values } = shop
  const input = createInput(classOf(API, 'Page'), base)
  let round = 0
  await fc.assert(
    fc.asyncProperty(anyLinks, async (links) => {
      const name = (index: number) => `r${round}-${index}`
      round += 1
      const write = (index: number, some: readonly Link[]) => {
        const own = some.filter(({ from }) => from === index)
        const to = (rule: Link['rule']) =>
          own.filter((link) => link.rule === rule).map((link) => `${base}/pages/${name(link.to)}`)
        const parts = to('parts').map((address) => ({ unset: [address] }))
        const body = { delete: to('delete'), unset: to('unset'), refuse: to('refuse'), parts }
        return input.create(readJson(JSON.stringify(body)) as JsonObject, name(index), 0)
      }
      const all = Array.from({ length: SIZE }, (_, index) => index)
      await store.members.addAll(all.map((index) => ({ className: 'Page', member: write(index, []) })))
      for (const index of all)
        await store.members.change('Page', name(index), undefined, () => write(index, links))

      const left = expected(links)
      const preview = await get(`/pages/${name(0)}/removal`)
      const removed = await remove(`/pages/${name(0)}`)
      assert.deepEqual([preview.status, removed.status], left === undefined ? [409, 409] : [200, 204])
      for (const index of all) {
        const isLeft = left?.has(index) ?? true
        assert.equal((await get(`/pages/${name(index)}`)).status, isLeft ? 200 : 404, String(index))
        if (!isLeft || left === undefined) continue
        const text = JSON.stringify(await values(`/pages/${name(index)}`))
        for (const other of all)
          assert.equal(
            text.includes(`/pages/${name(other)}"`),
            left.has(other) && links.some(({ from, to }) => from === index && to === other),
            `${index} links to ${other}`,
          )
      }
      if (left === undefined) return
      const { deleted, changed } = preview.json() as { deleted: string[]; changed: string[] }
      assert.equal(deleted.length, SIZE - left.size - 1)
      const losing = links.filter(({ from, to }) => left.has(from) && !left.has(to)).map(({ from }) => from)
      assert.equal(changed.length, new Set(losing).size)
    }),
    { numRuns: inSoak(1_000, 12) },
  )
  assert.deepEqual(faultsIn(shop), [])
})
