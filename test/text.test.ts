import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nearest } from '../src/text.ts'

describe('nearest', () => {
  const candidates = ['title', 'published', 'author', 'view']
  const cases: [name: string, expected: string | undefined][] = [
    ['titel', 'title'],
    ['Author', 'author'],
    ['publishd', 'published'],
    ['xyzzy', undefined],
    ['', undefined],
    ['veiw', 'view'],
    ['vie', 'view'],
    ['wive', 'view'],
    ['void', undefined],
  ]
  for (const [name, expected] of cases) {
    it(`"${name}" → ${expected}`, () => assert.equal(nearest(name, candidates), expected))
  }

  it('does not choose from nothing, nor compare what nobody typed', () => {
    assert.equal(nearest('a', []), undefined)
    assert.equal(nearest('a'.repeat(1_000_000), candidates), undefined)
  })
})
