import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { nearest } from '../../src/nearest.ts'
import { plural } from '../../src/vocabulary/plural.ts'
import { ApiFileError, readApiFile } from '../../src/vocabulary/read.ts'

describe('readApiFile', () => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hydrant-'))
  })
  after(() => rm(folder, { recursive: true }))

  async function refusal(name: string, text?: string): Promise<ApiFileError> {
    const path = join(folder, name)
    if (text !== undefined) await writeFile(path, text)
    const error = await readApiFile(path).catch((reason: unknown) => reason)
    assert.ok(error instanceof ApiFileError)
    return error
  }

  for (const name of ['a.yaml', 'a.yml', 'a.json', 'A.YAML']) {
    it(`reads ${name}`, async () => {
      await writeFile(join(folder, name), '{"title": "T", "classes": {"A": {}}}')
      assert.equal((await readApiFile(join(folder, name))).title, 'T')
    })
  }

  it('names every problem, a line each', async () => {
    const { message, problems } = await refusal('bad.yaml', 'titel: x\nclasses:\n  book:\n')
    assert.equal(problems.length, 2)
    const [first, second] = message.split('\n')
    assert.match(
      first ?? '',
      /bad\.yaml:1:1: "titel" is not possible in the API file; did you mean "title"\?$/,
    )
    assert.match(second ?? '', /bad\.yaml:3:3: "book" is not a class name/)
  })

  const whole: [name: string, text: string | undefined, message: RegExp][] = [
    ['missing.yaml', undefined, /missing\.yaml: there is no such file$/],
    ['a.jsonld', '{}', /long form \(\.jsonld\) is not supported yet/],
    ['a.toml', '', /ends in \.yaml, \.yml, \.json/],
  ]
  for (const [name, text, message] of whole) {
    it(`refuses ${name}`, async () => assert.match((await refusal(name, text)).message, message))
  }
})

describe('plural', () => {
  const cases = {
    Author: 'Authors',
    Category: 'Categories',
    Box: 'Boxes',
    Person: 'Persons',
    Day: 'Days',
    Dish: 'Dishes',
  }
  for (const [word, expected] of Object.entries(cases)) {
    it(`${word}, ${expected}`, () => assert.equal(plural(word), expected))
  }
})

describe('nearest', () => {
  const candidates = ['title', 'published', 'author']
  const cases: [name: string, expected: string | undefined][] = [
    ['titel', 'title'],
    ['Author', 'author'],
    ['publishd', 'published'],
    ['xyzzy', undefined],
    ['', undefined],
  ]
  for (const [name, expected] of cases) {
    it(`"${name}" → ${expected}`, () => assert.equal(nearest(name, candidates), expected))
  }

  it('does not choose from nothing, nor compare what nobody typed', () => {
    assert.equal(nearest('a', []), undefined)
    assert.equal(nearest('a'.repeat(1_000_000), candidates), undefined)
  })
})
