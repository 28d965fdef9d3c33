import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { addSampleData } from '../../../src/cli/serve/sample-data.ts'
import { classSchemas } from '../../../src/members/conversion/conversion.ts'
import { FIRST_MEMBER } from '../../../src/members/index.ts'
import { openStore } from '../../../src/store/open.ts'
import { readApiFile } from '../../../src/vocabulary/api-file.ts'
import { startClient } from '../../support/client.ts'
import { ROOT } from '../../support/markdown.ts'
import { temporaryFolder } from '../../support/service.ts'
import { serveIn } from '../command.ts'

const EXAMPLES: readonly (readonly [file: string, totals: Readonly<Record<string, number>>])[] = [
  // Three pages of each collection at 20 a page.
  ['library.yaml', { Author: 62, Book: 103 }],
  ['newsroom.yaml', { Topic: 2, Draft: 0, Article: 2 }],
  ['business.yaml', { Customer: 7, Project: 10, Person: 3, TimeEntry: 64, Invoice: 8 }],
]

test('the sample data of every example is complete and valid', async (t) => {
  for (const [file, totals] of EXAMPLES) {
    const path = join(ROOT, 'examples', file)
    const { model } = await readApiFile(path)
    const store = await openStore(`sqlite:${join(temporaryFolder(t), 'test.db')}`, classSchemas(model))
    // Throws at the first member that is refused.
    await addSampleData(path.replace('.yaml', '.ndjson'), model, store)
    for (const [name, total] of Object.entries(totals))
      assert.equal((await store.members.list(name, FIRST_MEMBER)).total, total, `${name} of ${file}`)
    await store.close()
  }
})

test('an example is served with its sample data, also from its own folder', async (t) => {
  const db = `sqlite:${join(temporaryFolder(t), 'test.db')}`
  const server = await serveIn(t, join(ROOT, 'examples'), ['business.yaml', '--no-auth', '--db', db])
  const { body } = await startClient(server).send('GET', '/invoices/ostby-001')
  assert.equal(JSON.parse(body).number, '2026-001')
})
