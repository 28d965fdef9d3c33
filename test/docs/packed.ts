import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { run } from '../support/processes.ts'

const FOLDER = mkdtempSync(join(tmpdir(), 'hydrant-packed-'))
after(() => rmSync(FOLDER, { recursive: true, force: true }))

interface Packed {
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

let packing: Promise<Packed> | undefined

/** What `npm pack` makes, once for all; without its scripts, since other tests are using what is built. */
async function pack(): Promise<Packed> {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', FOLDER]
  const { status, stdout, stderr } = await run('npm', args)
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout)[0]
}

/** Puts the package into a folder's node_modules; its paths, and where it is. */
export async function unpack(folder: string): Promise<{ readonly home: string; readonly paths: string[] }> {
  packing ??= pack()
  const { filename, files } = await packing
  const home = join(folder, 'node_modules', 'hydrant')
  mkdirSync(home, { recursive: true })
  const { status } = await run('tar', ['-xzf', join(FOLDER, filename), '--strip-components=1', '-C', home])
  assert.equal(status, 0)
  return { home, paths: files.map(({ path }) => path) }
}
