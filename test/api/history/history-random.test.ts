import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { IncompatibleMembersError } from '../../../src/members/index.ts'
import { countRows, execute, keptDatabase } from '../../support/databases.ts'
import { inSoak } from '../../support/soak.ts'
import type { Choose } from '../query/random-shelf.ts'
import { serveUsers } from '../users.ts'
import { type ChangingFile, FIRST, fileAfter, NAMES, textOf, USERS } from './changing-file.ts'
import { compareAll } from './compared.ts'
import { type KeptModel, under } from './kept-model.ts'
import { type Service, writeAny } from './random-writes.ts'

/** Chooses by numbers that follow from a seed (mulberry32). */
function chooserOf(seed: number): Choose {
  let state = seed
  return (...all) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return all[((mixed ^ (mixed >>> 14)) >>> 0) % all.length] as (typeof all)[0]
  }
}

const SEED = 1
const BEGINNING = Date.UTC(2026, 0, 1)
const timeOf = (version: number): number => BEGINNING + version * 700

/** As if the entries had been written over a longer time: a test writes most of them within a second. */
async function spreadTimes(db: string, { members }: KeptModel): Promise<void> {
  const tables = Object.keys(await countRows(db)).filter((name) => name.startsWith('history_'))
  for (const table of tables) {
    const text = `UPDATE ${table} SET at = ${BEGINNING} + version * 700`
    await execute(db, { sqlite: text, postgres: text })
  }
  for (const entry of members.flatMap(({ entries }) => entries))
    if (entry.told) entry.told = { ...entry.told, at: timeOf(entry.told.version) }
}

type Counts = Map<string, number>

/** What is to become of some writes, at least. */
const SURE = ['create 201', 'update 200', 'delete 204', 'restore 200', 'migrated']
const LIKELY = [
  ...['create 422', 'update 404', 'update 410', 'update 422', 'replace 200', 'delete 404', 'delete 409'],
  ...['delete 410', 'restore 201', 'restore 422', 'bring back 201', 'bring back 412', 'bring back 422'],
  ...['batch 200', 'batch 400', 'refused'],
]

// contract: The entry is written in the transaction of the change
// contract: `{member}/history/{version}`: the representation
test('whatever users write and however the API file changes, the history has all of it', async (t) => {
  const counts: Counts = new Map()
  const isSqlite = keptDatabase(t).startsWith('sqlite:')
  const property = fc.asyncProperty(fc.nat(), (seed) => live(t, chooserOf(seed), counts))
  // The seed of a failure is in its message; no smaller number would be simpler.
  await fc.assert(property, {
    numRuns: isSqlite ? inSoak(30, 1) : inSoak(8, 1),
    // One life cannot meet everything, so that the short form has one that meets what is sure.
    ...inSoak({}, { seed: SEED }),
    endOnFailure: true,
  })
  t.diagnostic([...counts].map((one) => one.join(': ')).join(', '))
  for (const outcome of isSqlite ? [...SURE, ...inSoak(LIKELY, [])] : [])
    assert.ok(counts.has(outcome), `${outcome} is not among ${[...counts.keys()]}`)
})

async function live(t: TestContext, choose: Choose, counts: Counts): Promise<void> {
  const db = keptDatabase(t)
  const [phases, writes] = db.startsWith('sqlite:') ? inSoak([6, 40], [3, 25]) : inSoak([5, 30], [2, 12])
  const count = (outcome: string) => counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  const open = (file: ChangingFile): Promise<Service> => serveUsers(t, USERS, { db, api: textOf(file) })
  let model: KeptModel = { file: FIRST, members: [] }
  for (let phase = 0; phase < phases; phase += 1) {
    const service = await open(model.file)
    try {
      // What was written before is the same under this file.
      if (phase > 0) await compareAll(service, model)
      for (let index = 0; index < writes; index += 1)
        count(await writeAny(service, model, choose, `m${phase}-${index}`))
      // The others see it when the file has changed.
      await compareAll(service, model, inSoak(NAMES, ['sue']))
    } finally {
      await service.close()
    }
    await spreadTimes(db, model)
    const file = fileAfter(model.file, choose)
    const next = under(model, file)
    count(next === undefined ? 'refused' : 'migrated')
    if (next === undefined) await assert.rejects(open(file), IncompatibleMembersError)
    else model = next
  }
  const last = await open(model.file)
  await compareAll(last, model)
  await last.close()
}
