import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { ApiFileError, readApiFile } from '../../src/vocabulary/api-file.ts'
import { plural } from '../../src/vocabulary/index.ts'
import { inShort } from '../support/problems.ts'

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
      assert.equal((await readApiFile(join(folder, name))).model.title, 'T')
    })
  }

  it('tells what was completed, where it is asked', async () => {
    const path = join(folder, 'notes.yaml')
    await writeFile(path, 'classes: { A: { operations: [list], properties: {} } }')
    assert.deepEqual((await readApiFile(path)).notes.map(inShort), [
      'TitleFromFile(notes)',
      'CollectionFromName(A, as)',
    ])
  })

  it('names every problem', async () => {
    const error = await refusal('bad.yaml', 'titel: x\nclasses:\n  book:\n')
    assert.equal(error.path, join(folder, 'bad.yaml'))
    assert.deepEqual(error.violations.map(inShort), [
      '1:1 UnknownKey(titel, → title, file)',
      '3:3 InvalidClassName(book)',
    ])
  })

  const whole: [name: string, text: string | undefined, problem: string][] = [
    ['missing.yaml', undefined, 'NoSuchApiFile'],
    [`${'a'.repeat(300)}.yaml`, undefined, 'UnreadableApiFile(ENAMETOOLONG)'],
    ['a.jsonld', '{}', 'NoDocumentation'],
    ['linked.json', '{"@context": {}, "classes": {"A": {}}}', 'LongFormAsJson'],
    ['empty.yaml', '', '1:1 EmptyApiFile'],
    ['empty.jsonld', ' \n', 'EmptyApiFile'],
    ['.', undefined, 'ApiFileIsFolder'],
    ['api', 'classes:', 'UnknownFileEnding(, of .yaml … .jsonld)'],
    ['a.toml', '', 'UnknownFileEnding(.toml, of .yaml … .jsonld)'],
  ]
  for (const [name, text, problem] of whole) {
    it(`refuses ${name}`, async () =>
      assert.deepEqual((await refusal(name, text)).violations.map(inShort), [problem]))
  }
})

describe('readApiFile, the long form', () => {
  const path = join(import.meta.dirname, '../documents/issue-tracker.jsonld')

  it('reads an ApiDocumentation', async () => {
    assert.deepEqual(
      (await readApiFile(path)).model.classes.map(({ name }) => name),
      ['Issue', 'Comment', 'User'],
    )
  })

  it('says what was completed', async () => {
    const { notes } = await readApiFile(path)
    assert.ok(notes.map(inShort).includes('supportedClass "Comment" PathFromName(comments)'))
  })

  it('names the place of a problem in the document', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'hydrant-'))
    t.after(() => rm(folder, { recursive: true }))
    const text = (await readFile(path, 'utf8')).replaceAll('xsd:boolean', 'xsd:bool')
    await writeFile(join(folder, 'tracker.jsonld'), text)
    const error = await readApiFile(join(folder, 'tracker.jsonld')).catch((reason: unknown) => reason)
    assert.ok(error instanceof ApiFileError)
    const [problem] = error.violations
    assert.equal(problem?.code, 'UnknownRange')
    assert.equal(problem?.at.path, 'supportedClass "Issue", supportedProperty "is_open"')
  })
})

describe('readApiFile, the short form', () => {
  it('tells a missing access file from a missing API file', async () => {
    const error = await readApiFile('examples/first.yaml', 'missing.yaml').catch((reason: unknown) => reason)
    assert.ok(error instanceof ApiFileError)
    assert.deepEqual([error.path, ...error.violations.map(inShort)], ['missing.yaml', 'NoSuchFile'])
  })

  it('says what was completed', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'hydrant-'))
    t.after(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, 'api.yaml'), 'classes: { Book: }')
    const { model, notes } = await readApiFile(join(folder, 'api.yaml'))
    assert.equal(model.title, 'api')
    assert.ok(notes.map(inShort).includes('CollectionFromName(Book, books)'))
  })
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
