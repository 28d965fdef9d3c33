import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indented } from '../../../../console/shared/wire/json-text.ts'

test('JSON is indented, and otherwise left as it was sent', () => {
  const text = '{"a":[1.50,12345678901234567890,-0, 1e3],"b{":"x\\"},[:","c":{},"d":[ ],"e":{"f":null}}'
  const shown = indented(text)
  assert.equal(
    shown,
    `{
  "a": [
    1.50,
    12345678901234567890,
    -0,
    1e3
  ],
  "b{": "x\\"},[:",
  "c": {},
  "d": [],
  "e": {
    "f": null
  }
}`,
  )
  assert.equal(indented(shown), shown)
  assert.equal(indented('"text"'), '"text"')
  assert.equal(indented('{"cut": '), undefined)
  assert.equal(indented('<html>'), undefined)
})
