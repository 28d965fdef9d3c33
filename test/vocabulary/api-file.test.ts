import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { linesOf, sayNote } from '../../src/service/problems/index.ts'
import { ApiFileError, readApiFile } from '../../src/vocabulary/api-file.ts'
import { plural } from '../../src/vocabulary/names.ts'

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
    await writeFile(path, 'classes: { A: { operations: [list] } }')
    assert.deepEqual((await readApiFile(path)).notes.map(sayNote), [
      'The title is "notes", the name of the file.',
      'The collection of A is "as", its plural in lower case.',
    ])
  })

  it('names every problem, a line each', async () => {
    const error = await refusal('bad.yaml', 'titel: x\nclasses:\n  book:\n')
    assert.deepEqual(
      error.violations.map(({ code }) => code),
      ['UnknownKey', 'InvalidClassName'],
    )
    const [first, second] = linesOf(error)
    assert.match(
      first ?? '',
      /bad\.yaml:1:1: "titel" is not possible in the API file; did you mean "title"\?$/,
    )
    assert.match(second ?? '', /bad\.yaml:3:3: "book" is not a class name/)
  })

  const whole: [name: string, text: string | undefined, message: RegExp][] = [
    ['missing.yaml', undefined, /missing\.yaml: there is no such file$/],
    ['a.jsonld', '{}', /this is not a Hydra ApiDocumentation/],
    ['linked.json', '{"@context": {}, "classes": {"A": {}}}', /rename it to end in \.jsonld/],
    ['empty.yaml', '', /empty\.yaml:1:1: the file is empty; "hydrant init" writes one to start from$/],
    ['empty.jsonld', ' \n', /empty\.jsonld: the file is empty; "hydrant init" writes one to start from$/],
    ['.', undefined, /this is a folder; name the API file in it$/],
    ['api', 'classes:', /ends in .*; this has no ending$/],
    ['a.toml', '', /ends in \.yaml, \.yml, \.json or \.jsonld/],
  ]
  for (const [name, text, message] of whole) {
    it(`refuses ${name}`, async () => assert.match(linesOf(await refusal(name, text)).join('\n'), message))
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
    assert.match(
      notes.map(sayNote).join('\n'),
      /^supportedClass "Comment": nothing names the path of its collection; completed/m,
    )
  })

  it('names the place of a problem in the document', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'hydrant-'))
    t.after(() => rm(folder, { recursive: true }))
    const text = (await readFile(path, 'utf8')).replaceAll('xsd:boolean', 'xsd:bool')
    await writeFile(join(folder, 'tracker.jsonld'), text)
    const error = await readApiFile(join(folder, 'tracker.jsonld')).catch((reason: unknown) => reason)
    assert.ok(error instanceof ApiFileError)
    assert.match(
      linesOf(error).join('\n'),
      /tracker\.jsonld: supportedClass "Issue", supportedProperty "is_open": the range/,
    )
  })
})

describe('readApiFile, the short form', () => {
  it('says what was completed', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'hydrant-'))
    t.after(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, 'api.yaml'), 'classes: { Book: }')
    const { model, notes } = await readApiFile(join(folder, 'api.yaml'))
    assert.equal(model.title, 'api')
    assert.match(notes.map(sayNote).join('\n'), /^The collection of Book is "books"/m)
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
