import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { PROBLEM_TYPES } from '../../../src/api/problems/index.ts'
import { createDocumentation, expand } from '../../../src/vocabulary/index.ts'
import { readLongForm } from '../../../src/vocabulary/long-form/long-form.ts'
import { inSoak } from '../../support/soak.ts'

const DOCUMENTS = ['hydrus', 'api-platform', 'api-platform-unprefixed', 'issue-tracker', 'flat-graph'].map(
  (name): unknown =>
    JSON.parse(readFileSync(join(import.meta.dirname, `../../documents/${name}.jsonld`), 'utf8')),
)

/** Every path to a value below the context. */
function pathsOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path]
  const below = Object.entries(value).flatMap(([key, one]) =>
    key === '@context' ? [] : pathsOf(one, [...path, key]),
  )
  return [path, ...below]
}

function replaced(value: unknown, [key, ...path]: readonly (string | number)[], by: unknown): unknown {
  if (key === undefined) return by
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
    string | number,
    unknown
  >
  copy[key] = replaced(copy[key], path, by)
  return copy
}

const ANYTHING = fc.oneof(
  fc.constantFrom<unknown>(
    ...[
      '@id',
      '@type',
      '',
      'null',
      '_:b',
      '#Book',
      'xsd:string',
      'hydra:Collection',
      'http://a',
      '://',
      'vocab',
    ],
    ...[
      null,
      true,
      0,
      -1,
      1e21,
      [],
      {},
      { '@id': '#x' },
      { '@list': [1] },
      { '@value': 'x', '@language': 'de' },
    ],
  ),
  fc.json({ maxDepth: 2 }).map((text): unknown => JSON.parse(text)),
)

/** A document of others in which a few values are anything else. */
const DOCUMENT = fc.constantFrom(...DOCUMENTS).chain((document) => {
  const change = fc.record({ path: fc.constantFrom(...pathsOf(document)), by: ANYTHING })
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) =>
    changes.reduce((whole: unknown, { path, by }) => {
      const there = pathsOf(whole).some((other) => JSON.stringify(other) === JSON.stringify(path))
      return there ? replaced(whole, path, by) : whole
    }, document),
  )
})

test('Whatever a document says is a model that can be served, or problems; never an exception', async () => {
  await fc.assert(
    fc.asyncProperty(DOCUMENT, async (document) => {
      const found = await readLongForm(JSON.stringify(document), 'any.jsonld')
      if ('problems' in found) return assert.ok(found.problems.length > 0)
      const documentation = createDocumentation(found.model, 'http://localhost/api', {
        session: true,
        problemTypes: PROBLEM_TYPES,
      })
      const { dropped } = await expand(documentation, {
        base: 'http://localhost/',
        findContext: () => undefined,
      })
      assert.deepEqual(dropped, [])
    }),
    { numRuns: inSoak(200, 80) },
  )
})

test('Any text at all is a model or problems', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.json(), fc.string()), async (text) => {
      const found = await readLongForm(text, 'any.jsonld')
      assert.ok('problems' in found && found.problems.length > 0)
    }),
    { numRuns: inSoak(200, 80) },
  )
})
