import type { TestContext } from 'node:test'
import postgres from 'postgres'
import type { AddOutcome, MemberStore } from '../../../src/members/index.ts'
import { newPostgres, onPostgres } from '../../support/postgres.ts'
import { type Kinds, memberOf, select, shapeOf, type Values } from '../../support/shapes.ts'
import { openFor } from '../../support/stores.ts'

export const KINDS: Kinds = { isbn: 'unique', title: 'text', tags: 'texts', number: 'number' }
export const SHAPES = ['Author', 'Book'].map((name) => shapeOf(name, KINDS))

export const book = (id: string, values: Values = {}) => memberOf(KINDS, id, values)

interface Opened {
  readonly url: string
  readonly store: MemberStore
  /** The tables of Book. */
  readonly number: number
}

export async function open(t: TestContext, url: string = newPostgres(t)): Promise<Opened> {
  const { members: store } = await openFor(t, url, SHAPES)
  const [row] = await onPostgres(url, "SELECT id FROM classes WHERE name = 'Book'")
  return { url, store, number: Number(row?.[0]) }
}

/** A transaction of somebody else, which is over with the test at the latest. */
export async function begin(t: TestContext, url: string): Promise<postgres.Sql> {
  const connection = { idle_in_transaction_session_timeout: 20_000 }
  const sql = postgres(url, { max: 1, fetch_types: false, connection, onnotice: () => {} })
  t.after(() => sql.end())
  await sql.unsafe('BEGIN')
  return sql
}

export const outcomes = (added: readonly AddOutcome[]): string[] => added.map(({ outcome }) => outcome)

export const totalOf = async (store: MemberStore): Promise<number | undefined> =>
  (await store.list('Book', select({ limit: 1 }))).total

export const idsOf = async (store: MemberStore): Promise<string[]> =>
  (await store.list('Book', select())).members.map(({ id }) => id)
