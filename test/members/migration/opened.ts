import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { ClassSchema, MemberStore } from '../../../src/members/index.ts'
import { select, type Values, valuesOf } from '../../support/shapes.ts'
import { openFor } from '../../support/stores.ts'

/** Opens the store under this API file, and so migrates its members. */
export const open = async (t: TestContext, url: string, ...shapes: ClassSchema[]): Promise<MemberStore> =>
  (await openFor(t, url, shapes, { bulk: true })).members

/** The ids of the members of a class. */
export const listed = async (store: MemberStore, name = 'Book', more: Parameters<typeof select>[0] = {}) =>
  (await store.list(name, select(more))).members.map(({ id }) => id)

export async function valuesIn(store: MemberStore, id: string, name = 'Book'): Promise<Values> {
  const found = await store.find(name, id)
  assert.ok(found)
  return valuesOf(found.body)
}
