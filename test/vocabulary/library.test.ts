import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { type JsonObject, type JsonValue, readJson } from '../../src/json.ts'
import { readApiFile } from '../../src/vocabulary/api-file.ts'
import { datatypeOf } from '../../src/vocabulary/datatypes.ts'
import type { Class, Property } from '../../src/vocabulary/model.ts'
import { compileValidator } from '../../src/vocabulary/validation.ts'

const examples = new URL('../../examples/', import.meta.url)
const model = await readApiFile(new URL('library.yaml', examples).pathname)
const lines = (await readFile(new URL('library.ndjson', examples), 'utf8')).trimEnd().split('\n')
const members = lines.map((line) => readJson(line) as JsonObject)

const classOf = (member: JsonObject): Class =>
  model.classes.find(({ name }) => name === member['@type']) ??
  assert.fail(`no class ${String(member['@type'])}`)

/** The values as they would be stored; links stay as they are. */
function valuesOf(member: JsonObject): Record<string, unknown> {
  const declared = new Map(classOf(member).properties.map((property) => [property.name, property]))
  const own = Object.entries(member).filter(([name]) => !name.startsWith('@'))
  return Object.fromEntries(
    own.map(([name, sent]) => {
      const property =
        declared.get(name) ?? assert.fail(`${String(member['@id'])} has an unknown property ${name}`)
      assert.ok(property.writable, `${name} is for the server to write`)
      return [
        name,
        Array.isArray(sent) ? sent.map((value) => storedValue(property, value)) : storedValue(property, sent),
      ]
    }),
  )
}

function storedValue({ name, range }: Property, sent: JsonValue): unknown {
  if (range.kind !== 'datatype') return sent
  const reading = datatypeOf(range.datatype).read(sent)
  return 'value' in reading ? reading.value : assert.fail(`${name} ${reading.message}`)
}

describe('the library example', () => {
  it('fills three pages of each collection at 20 a page', () => {
    for (const { name } of model.classes) {
      assert.ok(members.filter((member) => member['@type'] === name).length > 40, name)
    }
  })

  it('has addresses that the API would give, each once', () => {
    for (const member of members) {
      assert.match(
        String(member['@id']),
        new RegExp(`^/${classOf(member).collection}/[A-Za-z0-9._~-]{1,128}$`),
      )
    }
    assert.equal(new Set(members.map((member) => member['@id'])).size, members.length)
  })

  it('is valid', () => {
    const validators = new Map(model.classes.map((cls) => [cls.name, compileValidator(cls)]))
    for (const member of members) {
      const validate = validators.get(classOf(member).name) ?? assert.fail()
      assert.deepEqual(validate(valuesOf(member)), [], String(member['@id']))
    }
  })

  it('links only to what stands before', () => {
    const seen = new Set<string>()
    for (const member of members) {
      for (const { name, range } of classOf(member).properties) {
        if (range.kind !== 'link' || member[name] === undefined) continue
        assert.ok(String(member[name]).startsWith(`/${range.collection}/`))
        assert.ok(seen.has(String(member[name])), `${String(member['@id'])} links to ${String(member[name])}`)
      }
      seen.add(String(member['@id']))
    }
  })

  it('repeats no unique value', () => {
    for (const cls of model.classes) {
      for (const { name } of cls.properties.filter(({ unique }) => unique)) {
        const values = members
          .filter((member) => member['@type'] === cls.name)
          .flatMap((member) => member[name] ?? [])
        assert.equal(new Set(values).size, values.length, name)
      }
    }
  })
})
