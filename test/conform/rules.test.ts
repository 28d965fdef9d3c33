import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RULES } from '../../src/conform/rules/index.ts'
import { BROKEN, brokenApi, findingsIn, goodApi, type RecordedApi } from './fixtures.ts'

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

const ACTIVITY = 'https://www.w3.org/ns/activitystreams#Activity'

/** In a part of an answer that is found by its keys. */
const within = (answer: unknown, ...keys: readonly (string | number)[]): Record<string, unknown> =>
  keys.reduce((part, key) => (part as Record<string | number, unknown>)[key], answer) as never

test('a collection of events needs neither a total nor a link back, and any other collection needs both', async () => {
  const broken = () => brokenApi('NoTotal', 'NoWayBack')
  const codesIn = async (api: RecordedApi) => (await findingsIn(api)).map(({ code }) => code).sort()
  assert.deepEqual(await codesIn(broken()), ['NoTotal', 'NoWayBack'])

  const saidByPages = broken()
  for (const path of ['/books', '/books?page=2'])
    within(saidByPages[path], 'body', 'memberAssertion').object = ACTIVITY
  assert.deepEqual(await codesIn(saidByPages), [])

  const saidByClass = broken()
  within(saidByClass['/vocab'], 'body', 'supportedClass', 2).subClassOf = ACTIVITY
  assert.deepEqual(await codesIn(saidByClass), [])
})
