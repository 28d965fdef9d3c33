import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { shareWriteCount } from '../../../src/database/postgres/write-count.ts'
import { temporaryFolder } from '../../support/service.ts'

test('processes that share a count see each write of the others, also of one that was replaced', (t) => {
  const path = join(temporaryFolder(t), 'writes')
  writeFileSync(path, '')
  const open = (place: number) => {
    const count = shareWriteCount({ path, place, places: 3 })
    t.after(count.close)
    return count
  }
  const [one, other] = [open(0), open(2)]
  assert.equal(one.read(), 0)
  one.raise()
  other.raise()
  other.raise()
  assert.deepEqual([one.read(), other.read()], [3, 3])
  const successor = open(2)
  successor.raise()
  assert.deepEqual([one.read(), successor.read()], [4, 4])
})
