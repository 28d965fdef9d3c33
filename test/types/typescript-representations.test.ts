import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { serve } from '../support/service.ts'
import { CHOICES, EMBEDDED, EVERY_DATATYPE, NAMES } from './api-files.ts'
import { compile, typesOf } from './compiling.ts'

type Sent = readonly [method: string, path: string, type: string, input: string, body: object]

/** What is sent and what comes back, each as a constant of the type that is said to be its own. */
async function constantsOf(t: TestContext, api: string, sent: readonly Sent[]): Promise<string> {
  const { client } = await serve(t, { api, flags: { auth: false } })
  const lines: string[] = []
  for (const [index, [method, path, type, input, body]] of sent.entries()) {
    const headers = { 'Content-Type': 'application/json' }
    const answer = await client.send(method, path, headers, JSON.stringify(body))
    assert.equal(answer.status, 201, answer.body)
    const { '@context': _, ...served } = answer.json()
    lines.push(`export const sent${index}: ${input} = ${JSON.stringify(body)}`)
    lines.push(`export const served${index}: ${type} = ${JSON.stringify(served)}`)
  }
  return lines.join('\n')
}

test('what is really sent and served is of the types that are written for it', async (t) => {
  const thing = {
    ...{ string: 'a', boolean: false, integer: -5, nonNegativeInteger: 0, positiveInteger: 1, decimal: 1.5 },
    ...{ double: 0.1, float: 2, dateTime: '2026-11-15T12:00:00Z', time: '12:00:00', duration: 'P1D' },
    ...{ anyURI: 'urn:a', langString: { en: 'Hello', de: 'Hallo' }, texts: ['a'], decimals: [1, '2.0'] },
    ...{ flags: [true, false], hidden: 'x' },
  }
  const files: Record<string, string> = {
    'datatypes.ts': typesOf(EVERY_DATATYPE),
    'choices.ts': typesOf(CHOICES),
    'people.ts': typesOf(EMBEDDED),
    'names.ts': typesOf(NAMES),
    'thing.ts': `import type { Thing, ThingInput } from './datatypes.ts'\n${await constantsOf(
      t,
      EVERY_DATATYPE,
      [
        ['POST', '/things', 'Thing', 'ThingInput', thing],
        ['POST', '/things', 'Thing', 'ThingInput', { string: 'a', decimal: '1.50', texts: ['a', 'b'] }],
      ],
    )}`,
    'choice.ts': `import type { Choice, ChoiceInput } from './choices.ts'\n${await constantsOf(t, CHOICES, [
      ['POST', '/choices', 'Choice', 'ChoiceInput', { word: "don't", words: ['b'], number: 30, ratio: 1e25 }],
      ['POST', '/choices', 'Choice', 'ChoiceInput', { word: 'back\\slash', price: '1.5', day: '2026-11-15' }],
    ])}`,
    'person.ts': `import type { Log, LogInput, Person, PersonInput, Taste, TasteInput } from './people.ts'\n${await constantsOf(
      t,
      EMBEDDED,
      [
        ['PUT', '/Taste', 'Taste', 'TasteInput', { dish: 'soup' }],
        ['POST', '/logbook', 'Log', 'LogInput', {}],
        [
          ...(['POST', '/persons', 'Person', 'PersonInput'] as const),
          { name: 'Ann', home: { town: 'A' }, former: [{ town: 'B', street: 'C' }], taste: { dish: 'soup' } },
        ],
      ],
    )}`,
    'name.ts': `import type { Book, BookInput, BookInput2, BookInputInput, RecordMember2, RecordMember2Input } from './names.ts'\n${await constantsOf(
      t,
      NAMES,
      [
        ['POST', '/books', 'Book', 'BookInput2', { Book: 'x' }],
        [
          'POST',
          '/bookinputs',
          'BookInput',
          'BookInputInput',
          { constructor: 'x', 'a-b': 'y', toString: 'z' },
        ],
        ['POST', '/records', 'RecordMember2', 'RecordMember2Input', { a: 'x' }],
      ],
    )}`,
  }
  assert.deepEqual(await compile(t, files), [])
})
