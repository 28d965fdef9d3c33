import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { run } from './processes.ts'

const FOLDER = mkdtempSync(join(tmpdir(), 'hydrant-site-'))
after(() => rmSync(FOLDER, { recursive: true, force: true }))

let building: Promise<string> | undefined

/** The folder with the documentation as `npm run docs` builds it: once for each process. */
export function buildSite(): Promise<string> {
  building ??= build()
  return building
}

async function build(): Promise<string> {
  const { status, stderr } = await run(process.execPath, ['tools/site/build.ts', '--out', FOLDER])
  assert.deepEqual([status, stderr], [0, ''])
  return FOLDER
}
