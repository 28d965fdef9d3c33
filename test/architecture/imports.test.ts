import assert from 'node:assert/strict'
import { basename, dirname } from 'node:path'
import { test } from 'node:test'
import { SIDE_DOORS } from './doors.ts'
import { findCycle, importsBelow, packagesBelow, packagesOf } from './imports.ts'

/** Each floor stands on those after it, and on nothing before it (docs/architecture.md). */
const FLOORS: readonly (readonly string[])[] = [
  ['cli', 'library', 'client'],
  ['service', 'types', 'conform'],
  ['config'],
  ['app'],
  ['transfer', 'webhooks'],
  ['api'],
  ['store'],
  ['auth', 'members'],
  ['http', 'database', 'vocabulary'],
  ['seal', 'locks', 'json-elements'],
  ['json', 'text', 'folding', 'bounded-map', 'channel', 'deadline', 'fair-queue', 'bounded-fetch'],
  ['json-scanner'],
  ['problem', 'runtime', 'turn'],
]

/** The client library stands beside the house; these rooms may import it, by its name. */
const CLIENT = 'hydrant-client'
const USERS_OF_THE_CLIENT = ['client', 'cli', 'library', 'types', 'conform']

/** `src/auth/gate.ts` → `auth`, `src/app.ts` → `app`. */
const roomOf = (file: string): string => (file.split('/')[1] ?? '').replace(/\.ts$/, '')

const floorOf = (room: string): number => FLOORS.findIndex((rooms) => rooms.includes(room))

test('imports point downward, from room to room', () => {
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

test('the client imports only its own files; the server uses it by name, in few rooms', () => {
  const outside = [...importsBelow('packages/client/src').values()]
    .flat()
    .filter((to) => !to.startsWith('packages/client/src/'))
  assert.deepEqual(outside, [])
  assert.deepEqual(packagesBelow('packages/client/src'), [], 'neither a dependency nor a module of Node.js')
  const imports = importsBelow('src')
  const around = [...imports].filter(([, targets]) => targets.some((to) => !to.startsWith('src/')))
  assert.deepEqual(around, [])
  const users = [...imports.keys()].filter((file) => packagesOf(file).includes(CLIENT)).map(roomOf)
  assert.deepEqual(
    users.filter((room) => !USERS_OF_THE_CLIENT.includes(room)),
    [],
  )
})

test('the tools for agents import their own files, the client and the protocol; the server does not import them', () => {
  const outside = [...importsBelow('packages/mcp/src').values()]
    .flat()
    .filter((to) => !to.startsWith('packages/mcp/src/'))
  assert.deepEqual(outside, [])
  for (const name of packagesBelow('packages/mcp/src'))
    assert.match(name, /^(?:node:|hydrant-client$|@modelcontextprotocol\/server(?:\/|$))/)
  const users = [...importsBelow('src').keys()].filter((file) => packagesOf(file).includes('hydrant-mcp'))
  assert.deepEqual(users, [])
})

test('the console imports nothing of the server: its own files, the client and Preact', () => {
  const imports = importsBelow('console')
  assert.ok([...imports.keys()].some((file) => file.endsWith('.tsx')))
  const outside = [...imports].flatMap(([file, targets]) =>
    targets.filter((to) => !to.startsWith('console/')).map((to) => `${file} → ${to}`),
  )
  assert.deepEqual(outside, [])
  const packages = packagesBelow('console')
  assert.ok(packages.includes(CLIENT))
  for (const name of packages) assert.match(name, /^(?:preact(?:\/|$)|hydrant-client(?:\/|$))/)
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

/** `src/members/sqlite/read.ts` → `sqlite`. */
const engineOf = (file: string): string | undefined => /\/(sqlite|postgres)\//.exec(file)?.[1]

/** What is of an engine knows that engine in other rooms, and `store/` puts them together; nobody else knows one. */
const knowsEngine = (file: string, to: string): boolean =>
  engineOf(to) !== undefined && (engineOf(file) === engineOf(to) || roomOf(file) === 'store')

test('a room is entered through its door', () => {
  const around = [...importsBelow('src')].flatMap(([file, imports]) =>
    imports
      .filter((to) => to.split('/').length > 2 && roomOf(to) !== roomOf(file) && !knowsEngine(file, to))
      .filter((to) => to !== `src/${roomOf(to)}/index.ts` && !SIDE_DOORS.includes(to))
      .map((to) => `${file} → ${to}`),
  )
  assert.deepEqual(around, [])
})

test('there are no import cycles, types included', () => {
  assert.equal(findCycle(importsBelow('src')), undefined)
  assert.equal(findCycle(importsBelow('packages/client/src')), undefined)
  assert.equal(findCycle(importsBelow('packages/mcp/src')), undefined)
  assert.equal(findCycle(importsBelow('test')), undefined)
  assert.equal(findCycle(importsBelow('bench')), undefined)
  assert.equal(findCycle(importsBelow('console')), undefined)
})

test('from the command line, no chain of imports has more than 34 files, types included', () => {
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
  assert.ok(longest <= 34, `${longest} files`)
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
