import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RULES } from '../../src/conform/rules/index.ts'
import { BROKEN, brokenApi, findingsIn, goodApi } from './fixtures.ts'

test('an API that does everything right has no finding', async () => {
  assert.deepEqual(await findingsIn(goodApi()), [])
})

test('every rule has an API that breaks it, and there are no others', () => {
  assert.deepEqual(Object.keys(BROKEN).sort(), Object.keys(RULES).sort())
})

/** Rules that the same change breaks as well. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  NoSupportedClass: ['EntryPointNotDescribed', 'MemberClassNotDescribed', 'ProblemNotDescribed'],
  ClassWithoutAddress: ['UnknownClass'],
  OperationOfPlainProperty: ['LinkWithoutType'],
  LinkWithoutType: ['OperationOfPlainProperty'],
  HeaderWithoutName: ['VersionNotExpected'],
  SupportedWithoutProperty: ['PropertyNotDocumented'],
  PropertyWithoutAddress: ['PropertyNotDocumented'],
  MappingWithoutVariable: ['VariableNotMapped'],
  MappingWithoutProperty: ['PagingNotMapped'],
  MappingNotDescribed: ['PagingNotMapped'],
}

for (const code of Object.keys(BROKEN))
  test(`${code} is found where it is broken, and nothing else is`, async () => {
    const found = new Set((await findingsIn(brokenApi(code))).map((finding) => finding.code as string))
    assert.deepEqual([...found].sort(), [code, ...(ALSO[code] ?? [])].sort())
  })
