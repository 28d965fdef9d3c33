import assert from 'node:assert/strict'
import { closeSync, createReadStream, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { newPostgres } from '../../support/postgres.ts'
import { type Finished, HYDRANT, run } from '../../support/processes.ts'
import { temporaryFolder } from '../../support/service.ts'
import { inSoak, soakTest } from '../../support/soak.ts'

const API = `
title: Notes
classes:
  Note:
    properties:
      text: { type: string, filterable: false }
      number: integer
`
/** The database has to go through all members. */
const CHANGED = API.replace('number: integer', 'number: { type: integer, minimum: 0 }\n      more: string')

/** What is fetched by count comes in thousands; whoever takes the first ones for all of them is wrong. */
const SMALL = 1_100
const LARGE = inSoak(100, 48)
const TEXT = 'x'.repeat(900_000)

/** All large members together do not fit into it beside the program, a page or a batch of them does. */
const SMALL_HEAP = [`--max-old-space-size=${inSoak(80, 54)}`, '--max-semi-space-size=2']

function writeData(path: string, textOf: (number: number) => string): void {
  const data = openSync(path, 'w')
  for (let number = 1; number <= SMALL + LARGE; number += 1) {
    const member = { '@type': 'Note', '@id': `/notes/${number}`, text: textOf(number), number }
    writeSync(data, `${JSON.stringify(member)}\n`)
  }
  closeSync(data)
}

interface Exported {
  readonly number: number
  readonly text: string
}

async function lengthsIn(path: string): Promise<string[]> {
  const lengths: string[] = []
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const { number, text } = JSON.parse(line) as Exported
    lengths.push(`${number} ${text.length}`)
  }
  return lengths
}

soakTest(
  'members of 900 KB are imported, checked, exported, met again and copied with a small heap',
  async (t) => {
    const folder = temporaryFolder(t)
    writeFileSync(join(folder, 'api.yaml'), API)
    writeFileSync(join(folder, 'changed.yaml'), CHANGED)
    const textOf = (number: number) => (number <= SMALL ? 'small' : TEXT)
    writeData(join(folder, 'data.ndjson'), textOf)
    writeData(join(folder, 'other.ndjson'), () => 'other')
    const expected = Array.from({ length: SMALL + LARGE }, (_, at) => `${at + 1} ${textOf(at + 1).length}`)
    const [sqlite, postgres] = [`sqlite:${join(folder, 'notes.db')}`, newPostgres(t)]
    const command = (db: string, args: readonly string[]): Promise<Finished> =>
      run(process.execPath, [...SMALL_HEAP, HYDRANT, ...args], { cwd: folder, env: { HYDRANT_DB: db } })
    const done = async (db: string, args: readonly string[]) => {
      const { status, stderr, stdout } = await command(db, args)
      assert.equal(status, 0, `${args}: ${stderr.slice(0, 500)}`)
      return stdout
    }

    const copied = newPostgres(t)
    const stores = [
      { db: sqlite, fill: () => done(sqlite, ['import', 'api.yaml', 'data.ndjson']) },
      { db: postgres, fill: () => done(postgres, ['import', 'api.yaml', 'data.ndjson']) },
      { db: copied, fill: () => done(copied, ['copy', '--from', sqlite, '--to', copied]) },
    ]
    for (const { db, fill } of inSoak(stores, stores.slice(0, 1))) {
      await fill()
      await done(db, ['check', 'changed.yaml', '--db', db])
      if (db === copied) continue
      await done(db, ['export', 'api.yaml', 'exported.ndjson'])
      assert.deepEqual(await lengthsIn(join(folder, 'exported.ndjson')), expected)
      const refused = await command(db, ['import', 'api.yaml', 'other.ndjson', '--json'])
      assert.equal(refused.status, 1, refused.stderr.slice(-500))
      assert.equal(JSON.parse(refused.stdout).refused, SMALL + LARGE)
    }
  },
)
