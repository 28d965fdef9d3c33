import assert from 'node:assert/strict'
import { createInput } from '../../src/api/index.ts'
import { type JsonObject, readJson } from '../../src/json.ts'
import { BASE, classOf } from './queries.ts'
import type { Json, SignedIn } from './signed-in.ts'

export const THINGS =
  'classes: { Thing: { properties: { name: string, rank: integer, tags: { type: string, many: true } } } }'

/** Many members at once, without a request for each. */
export async function fill(
  { store }: SignedIn,
  ids: readonly string[],
  value: (index: number) => Json,
): Promise<void> {
  const input = createInput(classOf(THINGS, 'Thing'), BASE)
  const members = ids.map((id, index) => ({
    className: 'Thing',
    member: input.create(readJson(JSON.stringify(value(index))) as JsonObject, id, 0),
  }))
  // A thousand at once are added in time on a busy machine, too.
  for (let from = 0; from < members.length; from += 1_000)
    for (const { outcome } of await store.members.addAll(members.slice(from, from + 1_000)))
      assert.equal(outcome, 'added')
}

export const numbered = (count: number, start = 0): string[] =>
  Array.from({ length: count }, (_, index) => `t${String(index + start).padStart(5, '0')}`)
