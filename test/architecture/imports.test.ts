import assert from 'node:assert/strict'
import { basename, dirname } from 'node:path'
import { test } from 'node:test'
import { findCycle, importsBelow, packagesBelow } from './imports.ts'

/** Each floor stands on those after it, and on nothing before it (docs/architecture.md). */
const FLOORS: readonly (readonly string[])[] = [
  ['cli', 'library'],
  ['service', 'types'],
  ['config'],
  ['app'],
  ['transfer'],
  ['api'],
  ['auth'],
  ['http'],
  ['members'],
  ['store'],
  ['vocabulary'],
  ['seal'],
  ['json', 'text', 'bounded-map', 'channel', 'deadline', 'fair-queue'],
  ['errors', 'problem', 'runtime'],
]

/** Beside the house: what runs elsewhere, and who of the house is its guest. */
const CLIENT = 'client'
const GUESTS_OF_THE_CLIENT = ['cli', 'library', 'types']

/** `src/auth/gate.ts` → `auth`, `src/app.ts` → `app`. */
const roomOf = (file: string): string => (file.split('/')[1] ?? '').replace(/\.ts$/, '')

const floorOf = (room: string): number => FLOORS.findIndex((rooms) => rooms.includes(room))

test('imports point downward, from room to room', () => {
  const upward: string[] = []
  for (const [file, imports] of importsBelow('src')) {
    const from = roomOf(file)
    if (from === CLIENT) continue
    assert.notEqual(
      floorOf(from),
      -1,
      `${file} stands on no floor: give it one in this test and in docs/architecture.md`,
    )
    for (const to of imports.map(roomOf)) {
      if (to !== CLIENT && from !== to && floorOf(from) >= floorOf(to)) upward.push(`${file} → ${to}`)
    }
  }
  assert.deepEqual(upward, [])
})

test('the client imports nothing but its own files, and of the server only the commands, the library and types use it', () => {
  const isClient = (file: string) => roomOf(file) === CLIENT
  const across = [...importsBelow('src')].flatMap(([file, imports]) =>
    imports.filter((to) => isClient(file) !== isClient(to)).map((to) => [file, to] as const),
  )
  const wrong = across.filter(
    ([file, to]) => !GUESTS_OF_THE_CLIENT.includes(roomOf(file)) || to !== 'src/client/index.ts',
  )
  assert.deepEqual(wrong, [])
  assert.deepEqual(packagesBelow('src/client'), [], 'neither a dependency nor a module of Node.js')
})

test('the console imports nothing of the server: its own files, the client and Preact', () => {
  const imports = importsBelow('console')
  assert.ok([...imports.keys()].some((file) => file.endsWith('.tsx')))
  const outside = [...imports].flatMap(([file, targets]) =>
    targets
      .filter((to) => !to.startsWith('console/') && to !== 'src/client/index.ts')
      .map((to) => `${file} → ${to}`),
  )
  assert.deepEqual(outside, [])
  for (const name of packagesBelow('console')) assert.match(name, /^preact(?:\/|$)/)
})

/** `console/pages/table/query.ts` → `console/pages/table`: each page and each part of shared/ is a room, or one file. */
const consoleRoom = (file: string): string =>
  /^console\/(?:pages|shared)\/[^/]+|^console\/frame/.exec(file)?.[0] ?? 'console'

const CONSOLE_FLOORS = ['console', 'console/frame', 'console/pages/', 'console/shared/']
const consoleFloor = (room: string): number => CONSOLE_FLOORS.findLastIndex((floor) => room.startsWith(floor))

/** A page is its own door; what offers more has an `index.ts`. */
const isDoor = (file: string, room: string): boolean =>
  file === room ||
  file === `${room}/index.ts` ||
  file === `${room}/${basename(room)}-page.tsx` ||
  room === 'console/frame'

test('the rooms of the console import downward and through doors, and folders import one way', () => {
  const crossing = [...importsBelow('console')].flatMap(([file, targets]) =>
    targets.filter((to) => to.startsWith('console/')).map((to) => [file, to] as const),
  )
  const wrong = crossing.filter(([file, to]) => {
    const [from, room] = [consoleRoom(file), consoleRoom(to)]
    if (from === room) return false
    return !isDoor(to, room) || consoleFloor(from) > consoleFloor(room)
  })
  assert.deepEqual(wrong, [])
  const folders = new Map<string, string[]>()
  for (const [file, to] of crossing) {
    const [from, folder] = [dirname(file), dirname(to)]
    if (from !== folder) folders.set(from, [...(folders.get(from) ?? []), folder])
  }
  assert.equal(findCycle(folders), undefined)
})

/** Doors beside `index.ts`, each for those who would otherwise load much that they do not use. */
const SIDE_DOORS = [
  // For config/, which every command loads: without argon2, and without what stores need.
  'src/auth/throttle.ts',
  'src/store/address.ts',
  'src/store/auth-store.ts',
  'src/vocabulary/names.ts',
  // For app.ts, which alone serves them.
  'src/api/resources.ts',
  // For what opens ports and databases and reads API files: other rooms know only the messages, the interfaces, the model.
  'src/http/server.ts',
  'src/members/conversion.ts',
  'src/store/open.ts',
  'src/vocabulary/api-file.ts',
  // For store/, whose scan threads load it too: without what reads API files.
  'src/vocabulary/keys.ts',
  // Loaded where a port is asked for.
  'src/service/ops.ts',
  // For commands that serve nothing.
  'src/service/database.ts',
  'src/service/program.ts',
  'src/service/console.ts',
  // For what puts problems into words: loaded where a command fails.
  'src/service/problems/index.ts',
  'src/service/problems/files.ts',
  'src/types/problems.ts',
]

test('a room is entered through its door', () => {
  const around = [...importsBelow('src')].flatMap(([file, imports]) =>
    imports
      .filter((to) => to.split('/').length > 2 && roomOf(to) !== roomOf(file))
      .filter((to) => to !== `src/${roomOf(to)}/index.ts` && !SIDE_DOORS.includes(to))
      .map((to) => `${file} → ${to}`),
  )
  assert.deepEqual(around, [])
})

test('there are no import cycles, types included', () => {
  assert.equal(findCycle(importsBelow('src')), undefined)
  assert.equal(findCycle(importsBelow('test')), undefined)
  assert.equal(findCycle(importsBelow('bench')), undefined)
  assert.equal(findCycle(importsBelow('console')), undefined)
})

test('from the command line, no chain of imports has more than 24 files, types included', () => {
  const imports = importsBelow('src')
  const lengths = new Map<string, number>()
  function longestFrom(file: string): number {
    const known = lengths.get(file)
    if (known !== undefined) return known
    const length = 1 + Math.max(0, ...(imports.get(file) ?? []).map(longestFrom))
    lengths.set(file, length)
    return length
  }
  const longest = longestFrom('src/cli/main.ts')
  assert.ok(longest <= 24, `${longest} files`)
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

test('only config/ reads the environment', async () => {
  const { readFileSync } = await import('node:fs')
  const { ROOT } = await import('../support/markdown.ts')
  const readers = [...importsBelow('src').keys()].filter((file) =>
    /process\.env/.test(readFileSync(`${ROOT}/${file}`, 'utf8')),
  )
  assert.deepEqual(readers, ['src/config/config.ts'])
})
