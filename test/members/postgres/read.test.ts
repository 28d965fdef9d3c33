import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Param, Pool, RunSql } from '../../../src/database/postgres/pool.ts'
import { createReads } from '../../../src/members/postgres/read.ts'
import { tablesOf } from '../../../src/members/postgres/tables.ts'

test('members that are asked for in one turn of the event loop are one statement, and each is answered', async () => {
  const statements: string[] = []
  const run = (async (_, [ids = '']: readonly Param[] = []) => {
    statements.push(`${ids}`)
    return ['a', 'c"\\'].map((id, index) => [id, index + 1, ',"name":"x"', '', null, index])
  }) as RunSql
  const quick = { run } as Pool
  const { find } = createReads({ quick, slow: quick }, 1_000, () => tablesOf(1, []))
  const found = await Promise.all(['a', 'b', 'c"\\', 'a', 'with \0'].map((id) => find('Thing', id)))
  assert.deepEqual(
    found.map((member) => member?.version),
    [1, undefined, 2, 1, undefined],
  )
  assert.deepEqual(statements, ['{"a","b","c\\"\\\\"}'])
  await find('Thing', 'a')
  assert.equal(statements.at(-1), '{"a"}', 'what is asked for later is not answered from before')
})
