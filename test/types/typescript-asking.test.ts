import assert from 'node:assert/strict'
import { test } from 'node:test'
import { soakTest } from '../support/soak.ts'
import { BOOKS, USES } from './asking-uses.ts'
import {
  type CompileError,
  compile,
  compileWithOldest,
  plainTypesOf,
  typesOf,
  wrongLines,
} from './compiling.ts'

const FILES = { 'books.ts': typesOf(BOOKS), 'foreign.ts': plainTypesOf(BOOKS), ...USES }

function assertWrongLines(errors: readonly CompileError[]): void {
  for (const [name, text] of Object.entries(FILES)) {
    const found = errors.filter(({ file }) => file === name)
    const lines = [...new Set(found.map(({ line }) => line))]
    assert.deepEqual(lines, wrongLines(text), `${name}: ${JSON.stringify(found, undefined, 1)}`)
  }
}

test('right paths, alternatives, fields, reverse links and summaries compile, and wrong ones do not', async (t) => {
  assertWrongLines(await compile(t, FILES))
})

const COUNT = 30

/** Classes that link to each other in circles: each has thousands of paths of four names. */
const classAt = (number: number): string => {
  const linked = [0, 1, 2, 3, 4].map((link) => {
    return `      link${link}: { type: Class${(number * 7 + link * 5 + 1) % COUNT}, many: ${link === 4} }`
  })
  return `  Class${number}:\n    properties:\n      name: string\n      day: date\n      amount: decimal\n${linked.join('\n')}`
}

const MANY = `title: Many\nclasses:\n${Array.from({ length: COUNT }, (_, number) => classAt(number)).join('\n')}\n`

const usesAt = (number: number): string => `
const all${number} = client.collection('class${number}s')
for await (const { data } of all${number}.members({
  'link0.link1.link2.name': 'x',
  'link3.link4.link0.amount.gte': 3,
  'order[link0.link1.link2.name]': 'asc',
  or: { a: { 'link1.name': 'x', 'link2.link3.day.lt': '2026-11-15' } },
  fields: ['name', 'link0.name', 'link1.link2.day'],
  include: 'link0',
}))
  data.name?.length
for await (const { group, sum } of all${number}.summaries({
  group: ['link0.link1.name', 'link2.day:year'],
  sum: 'link0.amount',
  'order[sum.link0.amount]': 'desc',
}))
  console.log(group['link2.day:year'], sum['link0.amount'])
`

const MANY_USES = `import { createClient } from 'hydrant/client'
import type { Many } from './many.ts'
const client = createClient<Many>({ base: '' })
${Array.from({ length: COUNT }, (_, number) => usesAt(number)).join('')}`

soakTest(
  'the oldest compiler refuses the same lines, and queries over 30 classes in circles take it little work',
  async (t) => {
    const many = { 'many.ts': typesOf(MANY), 'many-uses.ts': MANY_USES }
    const { errors, instantiations } = await compileWithOldest(t, { ...FILES, ...many })
    assertWrongLines(errors)
    assert.deepEqual(
      errors.filter(({ file }) => file in many),
      [],
    )
    // There are 30 times 5 ** 3 * 3 paths of four names, each with up to ten operators.
    assert.ok(instantiations < 250_000, `${instantiations} instantiations`)
  },
)
