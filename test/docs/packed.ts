import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after } from 'node:test'
import { ROOT } from '../support/markdown.ts'
import { run } from '../support/processes.ts'

const FOLDER = mkdtempSync(join(tmpdir(), 'hydrant-packed-'))
after(() => rmSync(FOLDER, { recursive: true, force: true }))

const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** The published types compile with both. */
export const COMPILERS = {
  'the TypeScript that we build with': join(ROOT, 'node_modules/typescript/bin/tsc'),
  'TypeScript 5.4': join(ROOT, 'tools/oldest-typescript/node_modules/typescript/bin/tsc'),
}

export type PackageName = 'hydrant' | 'hydrant-client' | 'hydrant-mcp'

interface Packed {
  readonly name: PackageName
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

let packing: Promise<readonly Packed[]> | undefined

/** Runs `npm pack` for all packages, once; without its scripts, since other tests are using what is built. */
async function pack(): Promise<readonly Packed[]> {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', FOLDER]
  const { status, stdout, stderr } = await run('npm', [
    ...args,
    '.',
    './packages/client/dist',
    './packages/mcp/dist',
  ])
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout)
}

async function packedAs(name: PackageName): Promise<Packed> {
  packing ??= pack()
  const packed = (await packing).find((one) => one.name === name)
  assert.ok(packed)
  return packed
}

/** The archive of a package, as it would be published. */
export const tarballOf = async (name: PackageName): Promise<string> =>
  join(FOLDER, (await packedAs(name)).filename)

interface Unpacked {
  readonly home: string
  /** The files of the package. */
  readonly paths: readonly string[]
}

/** Unpacks one of the packages into a folder's node_modules. */
export async function unpack(folder: string, name: PackageName): Promise<Unpacked> {
  const { files } = await packedAs(name)
  const home = join(folder, 'node_modules', name)
  mkdirSync(home, { recursive: true })
  const archive = await tarballOf(name)
  const { status } = await run('tar', ['-xzf', archive, '--strip-components=1', '-C', home])
  assert.equal(status, 0)
  return { home, paths: files.map(({ path }) => path) }
}

/** Installs `hydrant` as npm would: both packages as they are published, and the other dependencies from this folder. */
export async function installHydrant(folder: string): Promise<Unpacked> {
  await unpack(folder, 'hydrant-client')
  linkInstalled(
    folder,
    Object.keys(dependencies).filter((name) => name !== 'hydrant-client'),
  )
  return unpack(folder, 'hydrant')
}

/** Links packages that are installed here into a folder's node_modules. */
export function linkInstalled(folder: string, names: readonly string[]): void {
  for (const name of names) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), link)
  }
}
