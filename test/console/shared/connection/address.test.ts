import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  chosenApi,
  isMixed,
  isReadable,
  readAddress,
  rememberApi,
} from '../../../../console/shared/connection/address.ts'
import { createMemory } from './memory.ts'

test('a typed address is completed, or refused with what would be right', () => {
  const cases = [
    ['http://localhost:8080/api', 'http://localhost:8080/api'],
    ['  https://Example.org/api/ ', 'https://example.org/api/'],
    ['https://example.org/', 'https://example.org'],
    ['https://example.org/api?page=2#top', 'https://example.org/api'],
    ['localhost:8080/api', 'http://localhost:8080/api'],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['[::1]:8080/api', 'http://[::1]:8080/api'],
    ['example.org/api', 'https://example.org/api'],
    ['example.org:8443', 'https://example.org:8443'],
  ] as const
  for (const [typed, address] of cases) assert.deepEqual(readAddress(typed), { address })
  const problems = [
    ['', /Enter the address/],
    ['   ', /Enter the address/],
    ['ftp://example.org', /http or https, not ftp/],
    ['javascript://%0aalert(1)', /http or https, not javascript/],
    ['javascript:alert(1)', /not an address/],
    ['http://', /not an address/],
    ['two words', /not an address/],
    ['http://7:paraphrase@example.org/api', /before the @/],
    ['7:paraphrase@example.org', /before the @/],
  ] as const
  for (const [typed, problem] of problems) {
    const reading = readAddress(typed)
    assert.match('problem' in reading ? reading.problem : '', problem, typed)
    assert.doesNotMatch(JSON.stringify(reading), /paraphrase/)
  }
})

test('plain http counts as readable by others, unless it stays on this machine', () => {
  const readable = [
    'http://example.org/api',
    'http://192.168.0.7:8080',
    'http://localhost.example.org',
    'http://127.example.org',
  ]
  const unreadable = [
    'https://example.org/api',
    'http://localhost:8080/api',
    'http://api.localhost',
    'http://127.0.0.1:8080',
    'http://127.1',
    'http://[::1]/api',
  ]
  for (const address of readable) assert.equal(isReadable(address), true, address)
  for (const address of unreadable) assert.equal(isReadable(address), false, address)
  assert.equal(isMixed('https:', 'http://example.org/api'), true)
  assert.equal(isMixed('https:', 'http://localhost:8080/api'), false)
  assert.equal(isMixed('http:', 'http://example.org/api'), false)
})

test('a chosen API is remembered until the user returns to the API that served the page', () => {
  const { kept, memory } = createMemory()
  const served = 'http://localhost:8080/api'
  const other = 'https://example.org/api'
  assert.equal(chosenApi(served, memory), served)
  rememberApi(other, served, memory)
  assert.equal(chosenApi(served, memory), other)
  for (const key of kept.keys()) kept.set(key, 'javascript:alert(1)')
  assert.equal(chosenApi(served, memory), served)
  rememberApi(served, served, memory)
  assert.equal(kept.size, 0)
  assert.equal(chosenApi('', memory), '')
})
