import assert from 'node:assert/strict'
import { test } from 'node:test'
import { typesOf } from './compiling.ts'

/** Everything that the types of an API with these classes export. */
const exportedBy = (title: string, ...classes: readonly string[]): string[] => {
  const written = classes.map((name) => `  ${name}: { properties: { a: string } }`).join('\n')
  const types = typesOf(`title: ${JSON.stringify(title)}\nclasses:\n${written}\n`)
  return [...types.matchAll(/^export interface (\w+)/gm)].map(([, name = '']) => name)
}

test('the names of classes stay as they are as far as they can, and what is made up gives way', () => {
  assert.deepEqual(exportedBy('Shop', 'Book'), ['Book', 'BookInput', 'BookQuery', 'Shop'])
  assert.deepEqual(exportedBy('Book', 'Book'), ['Book', 'BookInput', 'BookQuery', 'BookApi'])
  assert.deepEqual(exportedBy('Book input', 'Book'), ['Book', 'BookInput2', 'BookQuery', 'BookInput'])
  assert.deepEqual(exportedBy('Link', 'Book'), ['Book', 'BookInput', 'BookQuery', 'Link'])
  assert.deepEqual(exportedBy('', 'Api'), ['Api', 'ApiInput', 'ApiQuery', 'Api2'])
  assert.deepEqual(exportedBy('Shop', 'Book', 'BookInput', 'BookInput2').slice(0, 4), [
    'Book',
    'BookInput3',
    'BookQuery',
    'BookInput',
  ])
})

test('what TypeScript has by itself is left to it', () => {
  assert.deepEqual(exportedBy('Map', 'Date'), ['DateMember', 'DateMemberInput', 'DateMemberQuery', 'MapApi'])
  assert.deepEqual(exportedBy('Shop', 'Record', 'RecordMember').slice(0, 4), [
    'RecordMember2',
    'RecordMember2Input',
    'RecordMember2Query',
    'RecordMember',
  ])
})

test('a comment has what people call a class or a property, and what is said of it', () => {
  const types = typesOf(`title: A
classes:
  Line:
    title: Order line
    properties:
      a: { type: string, title: Amount }
      b: { type: string, title: Back, description: Of it }
      c: { type: string, description: Of it }
`)
  for (const line of ['/** Order line */', '  /** Amount */', '  /** Back: Of it */', '  /** Of it */'])
    assert.ok(types.split('\n').includes(line), `${line}\n${types}`)
})
