import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { MemberStore, Page, PageStart, Position, Selection } from '../../src/members/index.ts'
import { select, shapeOf } from '../support/shapes.ts'
import { inSoak } from '../support/soak.ts'
import { type Open, STORES } from '../support/stores.ts'
import { indexedSelection, KINDS, manySelections, ownerOf, thingOf, valuesOf } from './random-selections.ts'
import { listAll, listFrom, type ModelMember, placeOf, shownOf } from './selection-model.ts'

for (const { name, open } of STORES) describe(name, () => suite(open))

/** What is listed is what a model lists that looks at every member. */
function suite(openStore: Open): void {
  // contract: A page ends after its members or 4 MiB
  // contract: What a value means is the same on both stores
  test('every selection lists what matches, in order, by offset, forwards, backwards and from any position', async (t) => {
    const { members: store } = await openStore(t, [shapeOf('Thing', KINDS)], { scanMs: 60_000 })
    /** Sequence numbers are not given out again. */
    let added = 0
    await fc.assert(
      fc
        .asyncProperty(fc.array(valuesOf, { maxLength: 25 }), manySelections, async (given, selections) => {
          const members = given.map((values, index) => ({
            id: `m${index}`,
            sequence: added + index + 1,
            owner: ownerOf(index),
            values,
          }))
          added += members.length
          await store.addAll(
            members.map(({ id, values, owner }) => ({
              className: 'Thing',
              member: thingOf(id, values, owner),
            })),
          )
          for (const [chosen, { keys, sequence }] of selections) {
            const from = { keys, sequence: added - members.length + sequence }
            await compareWithModel(store, members, chosen, from)
          }
        })
        .afterEach(() => removeAll(store)),
      { numRuns: inSoak(100, 7) },
    )
  })
}

async function removeAll(store: MemberStore): Promise<void> {
  const { members } = await store.list('Thing', select())
  await Promise.all(members.map(({ id }) => store.remove('Thing', id, undefined)))
}

async function compareWithModel(
  store: MemberStore,
  members: readonly ModelMember[],
  chosen: Selection,
  from: Position,
): Promise<void> {
  const { limit } = chosen
  const all = listAll(members, chosen)
  const ids = all.map(({ id }) => id)
  const list = async (start: PageStart): Promise<Page> => {
    const page = await store.list('Thing', { ...indexedSelection(chosen), start })
    assert.equal(page.total, all.length)
    for (const { id, owner } of page.members)
      assert.equal(owner, all.find((member) => member.id === id)?.owner)
    assert.deepEqual(page.edges, edgesOf(page, all, chosen))
    return page
  }

  for (let offset = 0; offset <= all.length + limit; offset += limit) {
    const page = await list({ at: 'offset', offset })
    const shown = shownOf(all.slice(offset), chosen)
    assert.deepEqual(idsOf(page), ids.slice(offset, offset + shown.length))
    assert.equal(page.more, offset + shown.length < all.length)
  }

  const forwards: string[] = []
  for (let page = await list({ at: 'offset', offset: 0 }); ; ) {
    forwards.push(...idsOf(page))
    if (!page.more) break
    page = await list({ at: 'after', position: (page.edges as NonNullable<Page['edges']>).last })
  }
  assert.deepEqual(forwards, ids)

  const backwards: string[] = []
  for (let page = await list({ at: 'before', position: 'end' }); ; ) {
    backwards.unshift(...idsOf(page))
    if (!page.more) break
    page = await list({ at: 'before', position: (page.edges as NonNullable<Page['edges']>).first })
  }
  assert.deepEqual(backwards, ids)

  const behind = shownOf(listFrom(members, chosen, from, 1), chosen).map(({ id }) => id)
  assert.deepEqual(idsOf(await list({ at: 'after', position: from })), behind)
  const before = shownOf(listFrom(members, chosen, from, -1), chosen, -1).map(({ id }) => id)
  assert.deepEqual(idsOf(await list({ at: 'before', position: from })), before)
}

const idsOf = ({ members }: Page): string[] => members.map(({ id }) => id)

function edgesOf(page: Page, all: readonly ModelMember[], chosen: Selection): Page['edges'] {
  const at = (id: string | undefined) => all.find((member) => member.id === id)
  const [first, last] = [at(page.members[0]?.id), at(page.members.at(-1)?.id)]
  if (first === undefined || last === undefined) return undefined
  return { first: placeOf(first, chosen), last: placeOf(last, chosen) }
}
