import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCycle, importsBelow } from './imports.ts'

/** Each floor stands on those after it, and on nothing before it (docs/architecture.md). */
const FLOORS: readonly (readonly string[])[] = [
  ['cli'],
  ['service', 'bulk'],
  ['config'],
  ['server', 'ops'],
  ['app'],
  ['resources'],
  ['auth'],
  ['http'],
  ['store'],
  ['vocabulary'],
  ['linked-data'],
  ['decimal'],
  ['json', 'nearest', 'folding'],
  ['errors'],
]

/** `src/auth/gate.ts` → `auth`; `src/setting-values.ts` belongs to the floor of the settings. */
function roomOf(file: string): string {
  const [, room = ''] = file.split('/')
  const name = room.replace(/\.ts$/, '')
  return name.startsWith('setting') ? 'config' : name
}

const floorOf = (room: string): number => FLOORS.findIndex((rooms) => rooms.includes(room))

test('imports point downward: cli, service, server, app, resources, auth, http, store, vocabulary, errors', () => {
  const upward: string[] = []
  for (const [file, imports] of importsBelow('src')) {
    const from = roomOf(file)
    assert.notEqual(
      floorOf(from),
      -1,
      `${file} stands on no floor: give it one in this test and in docs/architecture.md`,
    )
    for (const to of imports.map(roomOf)) {
      if (from !== to && floorOf(from) >= floorOf(to)) upward.push(`${file} → ${to}`)
    }
  }
  assert.deepEqual(upward, [])
})

test('the stores are reached through store.ts and open.ts alone', () => {
  const reaching = [...importsBelow('src')].flatMap(([file, imports]) =>
    imports
      .filter((to) => /^src\/store\/\w+\//.test(to) && !file.startsWith('src/store/'))
      .map((to) => `${file} → ${to}`),
  )
  assert.deepEqual(reaching, [])
})

test('there are no import cycles, types included', () => {
  assert.equal(findCycle(importsBelow('src')), undefined)
  assert.equal(findCycle(importsBelow('test')), undefined)
  assert.equal(findCycle(importsBelow('bench')), undefined)
})

test('a cycle would be found', () => {
  const cycle = findCycle(
    new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['b']],
    ]),
  )
  assert.deepEqual(cycle, ['b', 'c', 'b'])
})

test('only config.ts reads the environment', async () => {
  const { readFileSync } = await import('node:fs')
  const { ROOT } = await import('../support/markdown.ts')
  const readers = [...importsBelow('src').keys()].filter((file) =>
    /process\.env/.test(readFileSync(`${ROOT}/${file}`, 'utf8')),
  )
  assert.deepEqual(readers, ['src/config.ts'])
})
