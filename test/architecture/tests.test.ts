import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { basename, relative } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../support/markdown.ts'
import { SIDE_DOORS } from './doors.ts'
import { importsBelow } from './imports.ts'

/** The folders of `test/` that mirror a room; the others (wire, hosts, threats …) are named after what they try. */
const ROOMS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'api auth cli config conform database http library members service store transfer types vocabulary webhooks'
      .split(' ')
      .map((room) => [room, `src/${room}`]),
  ),
  client: 'packages/client/src',
  mcp: 'packages/mcp/src',
  console: 'console',
}

const withoutEnding = (file: string): string => file.replace(/(?:\.test)?\.tsx?$/, '')

/** The files and folders of a room, as paths below it without endings. */
const placesIn = (room: string): string[] => {
  const files = globSync(`${room}/**/*.{ts,tsx}`, { cwd: ROOT }).map((file) =>
    withoutEnding(relative(room, file)),
  )
  const folders = files.flatMap((file) => file.split('/').map((_, end, all) => all.slice(0, end).join('/')))
  return [...new Set([...files, ...folders])].filter((place) => place !== '')
}

/** The files and folders that a test is about: `api/batch/limits` is about `api/batch`, `pool-random` about `pool`. */
function subjectsOf(file: string, places: readonly string[]): string[] {
  const name = withoutEnding(file).split('/').slice(2).join('/')
  return places.filter(
    (place) => name === place || name.startsWith(`${place}-`) || name.startsWith(`${place}/`),
  )
}

const roomOf = (file: string): string | undefined => ROOMS[file.split('/')[1] ?? '']
const places = new Map(Object.values(ROOMS).map((room) => [room, placesIn(room)]))

test('the tests of a room are named after its files and folders', () => {
  const tests = [...importsBelow('test').keys()].filter((file) => file.endsWith('.test.ts'))
  const lost = tests.filter((file) => {
    const room = roomOf(file)
    return room !== undefined && subjectsOf(file, places.get(room) ?? []).length === 0
  })
  assert.deepEqual(lost, [])
})

/** Imports past a door that remain: readers and parts that several tests build on, and one engine that knows its own. */
const REMAINING = 63

test('tests enter rooms by their doors, except for the files that they are named after', () => {
  const around = [...importsBelow('test')].flatMap(([file, targets]) => {
    const room = roomOf(file)
    const subjects = room === undefined ? [] : subjectsOf(file, places.get(room) ?? [])
    return targets
      .filter((to) => /^(?:src\/[^/]+|packages\/(?:client|mcp)\/src|console)\/./.test(to))
      .filter((to) => basename(to) !== 'index.ts' && !SIDE_DOORS.includes(to))
      .filter((to) => {
        const inner = room !== undefined && to.startsWith(`${room}/`) ? withoutEnding(relative(room, to)) : ''
        return !subjects.some((subject) => inner === subject || inner.startsWith(`${subject}/`))
      })
      .map((to) => `${file} → ${to}`)
  })
  assert.ok(around.length <= REMAINING, `${around.length}:\n${around.join('\n')}`)
})
