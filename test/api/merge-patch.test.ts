import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergePatch } from '../../src/api/input/input.ts'
import { type JsonObject, readJson } from '../../src/json.ts'

/** RFC 7396, appendix A, as far as both are objects; null stands for what is not there. */
const TABLE: [target: string, patch: string, merged: string][] = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{"a":null}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"a":null,"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d","c":null}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{"ccc":null}}}'],
  ['{"a":{"b":{"c":1,"d":2}}}', '{"a":{"b":{"c":3}}}', '{"a":{"b":{"c":3,"d":2}}}'],
  ['{"__proto__":{"a":1}}', '{"__proto__":{"b":2}}', '{"__proto__":{"a":1,"b":2}}'],
]

const read = (text: string) => readJson(text) as JsonObject

test('a patch is merged as RFC 7396 has it, and neither side is changed', () => {
  for (const [target, patch, merged] of TABLE) {
    const [before, change] = [read(target), read(patch)]
    assert.deepEqual(mergePatch(before, change), read(merged), `${target} ${patch}`)
    assert.deepEqual([before, change], [read(target), read(patch)])
  }
  assert.equal(({} as Record<string, unknown>).b, undefined)
})
