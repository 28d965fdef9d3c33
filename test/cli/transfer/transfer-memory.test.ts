import assert from 'node:assert/strict'
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import { documentContext } from '../../../src/transfer/json-ld.ts'
import { HYDRANT, run } from '../../support/processes.ts'
import { modelOf, temporaryFolder } from '../../support/service.ts'
import { soakTest } from '../../support/soak.ts'

const API = `
title: Notes
classes:
  Note:
    properties:
      text: { type: string, filterable: false }
      about: Note
`
const MEBIBYTE = 1024 * 1024
const TEXT = 'x'.repeat(8_000)
const FEW = 1_500
const MANY = 20_000

/** What the database keeps of itself, at most, and what a collection of garbage more or less makes of a difference. */
const CACHE = 128 * MEBIBYTE
const SLACK = 32 * MEBIBYTE

const PEAK = join(import.meta.dirname, '../peak-memory.ts')

/** V8 then collects what nobody needs any more before it asks for more memory. */
const SMALL_HEAP = ['--max-old-space-size=64', '--max-semi-space-size=2']

interface Kind {
  readonly file: string
  readonly start: string
  readonly between: string
  readonly end: string
  /** What each member but the last has, where that is the last one. */
  readonly link?: string
}

const LINES: Kind = { file: 'data.ndjson', start: '', between: '\n', end: '\n' }

/** With the context of an export, which is understood without a JSON-LD processor. */
const DOCUMENT: Kind = {
  file: 'data.jsonld',
  start: `{"@context":${JSON.stringify(documentContext(modelOf(API), 'http://localhost:8080/api'))},"@graph":[`,
  between: ',\n',
  end: ']}',
}

const ROWS: Kind = { ...LINES, file: 'sqlite:old.db' }

function writeData(path: string, { start, between, end, link }: Kind, members: number): void {
  const data = openSync(path, 'w')
  writeSync(data, start)
  for (let id = 1; id <= members; id++) {
    const last = id === members
    const links = last || link === undefined ? {} : { [link]: `/notes/${members}` }
    const member = { '@type': 'Note', '@id': `/notes/${id}`, text: TEXT, ...links }
    writeSync(data, JSON.stringify(member) + (last ? end : between))
  }
  closeSync(data)
}

/** Rows that all refer to the last one. */
function writeRows(path: string, rows: number): void {
  const db = new DatabaseSync(path)
  db.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, about INTEGER); BEGIN')
  const add = db.prepare('INSERT INTO notes VALUES (?, ?, ?)')
  for (let id = 1; id <= rows; id++) add.run(id, TEXT, id === rows ? null : rows)
  db.exec('COMMIT')
  db.close()
}

/** Imports so many members with a heap that is smaller than the data; returns the peak memory. */
async function peakOf(t: TestContext, kind: Kind, members: number): Promise<number> {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'api.yaml'), API)
  if (kind === ROWS) writeRows(join(folder, 'old.db'), members)
  else writeData(join(folder, kind.file), kind, members)
  const args = [...SMALL_HEAP, '--import', PEAK, HYDRANT, 'import', 'api.yaml', kind.file, '--json']
  const { status, stdout, stderr } = await run(process.execPath, args, { cwd: folder })
  assert.equal(status, 0, stderr)
  assert.equal(JSON.parse(stdout).added, members)
  return Number(/peak (\d+)/.exec(stderr)?.[1])
}

const KINDS: Readonly<Record<string, Kind>> = {
  NDJSON: LINES,
  'NDJSON whose members all wait for the last one': { ...LINES, link: 'about' },
  'JSON-LD with its context first': DOCUMENT,
  'JSON-LD with its context first whose members all wait for the last one': { ...DOCUMENT, link: 'about' },
  'rows of a database which all wait for the last one': ROWS,
}

let baseline: Promise<number> | undefined

// A small heap is also what transfer-large-members and transfer/json-ld read with.
for (const [name, kind] of Object.entries(KINDS)) {
  soakTest(`importing many megabytes of ${name} takes hardly more memory than importing 12 MB`, async (t) => {
    baseline ??= peakOf(t, LINES, FEW)
    const [few, many] = [await baseline, await peakOf(t, kind, MANY)]
    assert.ok(many - few < CACHE + SLACK, `${few} bytes for ${FEW}, ${many} bytes for ${MANY}`)
  })
}
