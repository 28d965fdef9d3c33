import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { classSchemas } from '../../src/members/conversion.ts'
import type { MemberStore, Page, PageStart, Selection } from '../../src/members/index.ts'
import { inSoak } from '../support/soak.ts'
import { type Open, STORES } from '../support/stores.ts'
import { listBooks } from './path-model.ts'
import { contentOf, MODEL, OWNERS, type PathMember, pathSelections, shelves } from './path-selections.ts'

for (const { name, open } of STORES) describe(name, () => suite(open))

function suite(open: Open): void {
  test('along links, embedded values and alternatives, a selection lists what a model lists', async (t) => {
    const { members: store } = await open(t, classSchemas(MODEL), { scanMs: 60_000 })
    const added = { Author: 0, Book: 0 }
    await fc.assert(
      fc
        .asyncProperty(shelves, fc.array(pathSelections, { minLength: 12, maxLength: 12 }), async (shelf, selections) => {
          const all = membersOf(shelf, added)
          await add(store, all)
          for (const selection of selections) await compare(store, all, selection)
        })
        .afterEach(() => removeAll(store)),
      { numRuns: inSoak(400, 12) },
    )
  })
}

/** Sequence numbers are not given out again. */
function membersOf(
  { authors, books }: { authors: readonly object[]; books: readonly object[] },
  added: { Author: number; Book: number },
): PathMember[] {
  const toMember = (className: 'Author' | 'Book', prefix: string) => (values: object, index: number) => {
    added[className] += 1
    const owner = OWNERS[index % OWNERS.length] as number
    return { className, id: `${prefix}${index}`, sequence: added[className], owner, values: values as PathMember['values'] }
  }
  return [...authors.map(toMember('Author', 'a')), ...books.map(toMember('Book', 'b'))]
}

/** Authors first without their agents, who may come later. */
async function add(store: MemberStore, all: readonly PathMember[]): Promise<void> {
  for (const member of all) {
    const { agent: _, ...values } = member.values
    const content = contentOf({ ...member, values })
    const { outcome } = await store.add(member.className, { ...content, id: member.id, owner: member.owner })
    assert.equal(outcome, 'added')
  }
  for (const member of all.filter(({ values }) => values.agent !== undefined))
    assert.equal((await store.change(member.className, member.id, undefined, () => contentOf(member))).outcome, 'changed')
}

async function removeAll(store: MemberStore): Promise<void> {
  const bare = contentOf({ className: 'Author', id: '', sequence: 0, owner: 1, values: {} })
  for (let index = 0; index < 12; index += 1) await store.remove('Book', `b${index}`, undefined)
  for (let index = 0; index < 4; index += 1) await store.change('Author', `a${index}`, undefined, () => bare)
  for (let index = 0; index < 4; index += 1) await store.remove('Author', `a${index}`, undefined)
}

async function compare(store: MemberStore, all: readonly PathMember[], selection: Selection): Promise<void> {
  const expected = listBooks(all, selection).map(({ id }) => id)
  const list = async (start: PageStart): Promise<Page> => {
    const page = await store.list('Book', { ...selection, start })
    assert.equal(page.total, expected.length)
    return page
  }
  const idsOf = ({ members }: Page) => members.map(({ id }) => id)
  const { limit } = selection
  for (let offset = 0; offset <= expected.length; offset += limit)
    assert.deepEqual(idsOf(await list({ at: 'offset', offset })), expected.slice(offset, offset + limit))
  const forwards: string[] = []
  for (let page = await list({ at: 'offset', offset: 0 }); ; ) {
    forwards.push(...idsOf(page))
    if (!page.more || page.edges === undefined) break
    page = await list({ at: 'after', position: page.edges.last })
  }
  assert.deepEqual(forwards, expected)
  const backwards: string[] = []
  for (let page = await list({ at: 'before', position: 'end' }); ; ) {
    backwards.unshift(...idsOf(page))
    if (!page.more || page.edges === undefined) break
    page = await list({ at: 'before', position: page.edges.first })
  }
  assert.deepEqual(backwards, expected)
}
