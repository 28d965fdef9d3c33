import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../support/markdown.ts'
import { importsBelow } from './imports.ts'

// A problem is data; sentences are made from it in one table for each audience, and no code reads them back.

const TEXT_METHODS =
  'slice|replace|replaceAll|match|matchAll|endsWith|startsWith|split|includes|charAt|search|indexOf|trim'

/** Code that inspects or rewrites the sentence of an error or a violation. */
const INSPECTIONS: readonly RegExp[] = [
  new RegExp(`\\b(?:message|sentence|reason)\\)?\\??\\.(?:${TEXT_METHODS})\\(`),
  /\.(?:exec|test)\([^)]*\b(?:message|sentence)\b/,
  /(?<!typeof (?:\w+\.)?)\b(?:message|sentence)\)? [!=]== (?!undefined)/,
  /\.message = /,
]

/** Texts of others, which have no other form. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'src/cli/program.ts: const text = error.message': 'commander names flags in its messages alone',
  "src/vocabulary/json-ld.ts: const reason = error.message.replace(/^Invalid JSON-LD syntax; /, '').slice(0, LONGEST_REASON)":
    'the JSON-LD processor puts this before what is wrong',
}

/** Rooms that are not converted yet; this list can only become shorter. */
const REMAINING: readonly string[] = []

const FOLDERS = ['src', 'console', 'packages'].filter((folder) => existsSync(join(ROOT, folder)))

/** Every TypeScript file that is not a test. */
const FILES = FOLDERS.flatMap((folder) => [...importsBelow(folder).keys()]).filter(
  (file) => !file.includes('node_modules/'),
)

const linesIn = (file: string): string[] =>
  readFileSync(join(ROOT, file), 'utf8')
    .split('\n')
    .map((line) => line.trim())

/** A method that is called on the next line, as the formatter breaks long chains, counts too. */
function inspectionsIn(file: string): string[] {
  const lines = linesIn(file)
  return lines.flatMap((line, index) => {
    const next = lines[index + 1] ?? ''
    const code = next.startsWith('.') ? line + next : line
    if (/^(?:\/\/|\/?\*)/.test(line) || !INSPECTIONS.some((pattern) => pattern.test(code))) return []
    return [`${file}: ${line}`]
  })
}

test('no code inspects or rewrites a sentence', () => {
  const found = FILES.flatMap(inspectionsIn)
  const others = found.filter((one) => !Object.hasOwn(EXCEPTIONS, one))
  const isRemaining = (one: string) => REMAINING.includes(one.slice(0, one.indexOf(': ')))
  assert.deepEqual(
    others.filter((one) => !isRemaining(one)),
    [],
    'throw a problem with values, and write its sentence in the table of its audience',
  )
  const unused = REMAINING.filter((file) => !others.some((one) => one.startsWith(`${file}: `)))
  assert.deepEqual(unused, [], 'converted: take it from REMAINING')
  const gone = Object.keys(EXCEPTIONS).filter((one) => !found.includes(one))
  assert.deepEqual(gone, [], 'not there any more: take it from EXCEPTIONS')
})

test('the patterns find what they are for, and nothing else', () => {
  const isFound = (code: string) => INSPECTIONS.some((pattern) => pattern.test(code))
  for (const code of [
    'const line = /\\d+/.exec(error.message)',
    "if (message === 'is required.') return",
    'return message.charAt(0).toLowerCase()',
    "sentence.replace(/\\.$/, '')",
    "(error as Error).message.split('\\n')",
    'error.message = oneLine(error.message)',
  ])
    assert.ok(isFound(code), code)
  for (const code of ["typeof one.message === 'string'", 'message === undefined', 'call.say({}, message)'])
    assert.ok(!isFound(code), code)
})

/** Rooms below `api/` and `http/`, as far as they exist, and single files of the ground floor. */
const WITHOUT_STATUS = ['store', 'database', 'members', 'vocabulary', 'auth/store', 'seal.ts']
const GROUND = [
  'json',
  'text',
  'folding',
  'bounded-map',
  'channel',
  'deadline',
  'fair-queue',
  'problem',
  'runtime',
  'turn',
]

/** Those that still have statuses; this list can only become shorter. */
const REMAINING_STATUSES: readonly string[] = []

const STATUS = /\bHttpError\b|\bstatus: [1-5]\d\d\b|\.status\b/

test('nothing below api/ and http/ names an HTTP status', () => {
  const rooms = [...WITHOUT_STATUS, ...GROUND.map((name) => `${name}.ts`)]
  const imports = importsBelow('src')
  const roomWith = (file: string) =>
    rooms.find((room) => file === `src/${room}` || file.startsWith(`src/${room}/`))
  const naming = [...imports]
    .filter(([file]) => {
      const code = linesIn(file).filter((line) => !/^(?:\/\/|\/?\*)/.test(line))
      return code.some((line) => STATUS.test(line))
    })
    .flatMap(([file]) => roomWith(file) ?? [])
  assert.deepEqual([...new Set(naming)].toSorted(), REMAINING_STATUSES.toSorted())
})
