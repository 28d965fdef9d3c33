import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folders of the published packages, and their names. */
export const PACKAGES = { '.': 'hydrant', 'packages/client': 'hydrant-client', 'packages/mcp': 'hydrant-mcp' }

interface Manifest {
  version: string
  dependencies?: Record<string, string>
}

const VERSION = /^(\d+)\.(\d+)\.(\d+)$/
const UNRELEASED = '## Unreleased\n'

/** The files that a new version changes, by path, with their new text. Files that stay as they are have no entry. */
export function filesOfVersion(root: string, version: string): Map<string, string> {
  const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
  const before = (JSON.parse(textOf('package.json')) as Manifest).version
  const isThere = before === version
  if (!VERSION.test(version))
    throw new Error(`A version is three numbers, such as 0.2.0; this is ${version}.`)
  if (!isThere && !isLater(version, before)) throw new Error(`${version} is not later than ${before}.`)

  const changelog = isThere ? textOf('CHANGELOG.md') : closeUnreleased(textOf('CHANGELOG.md'), version)
  notesOf(changelog, version)
  const files = new Map([['CHANGELOG.md', changelog]])
  for (const folder of Object.keys(PACKAGES)) {
    const path = join(folder, 'package.json')
    files.set(path, formatted(withVersion(JSON.parse(textOf(path)), version)))
  }
  const lock = JSON.parse(textOf('package-lock.json'))
  lock.version = version
  for (const folder of Object.keys(PACKAGES))
    withVersion(lock.packages[folder === '.' ? '' : folder], version)
  files.set('package-lock.json', formatted(lock))
  for (const [path, text] of files) if (text === textOf(path)) files.delete(path)
  return files
}

const formatted = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

/** All packages have one version, and depend on exactly that version of each other. */
function withVersion(manifest: Manifest, version: string): Manifest {
  manifest.version = version
  for (const name of Object.values(PACKAGES))
    if (manifest.dependencies?.[name] !== undefined) manifest.dependencies[name] = version
  return manifest
}

function isLater(version: string, before: string): boolean {
  const numbersOf = (text: string) => text.split('.').map(Number)
  const [mine, theirs] = [numbersOf(version), numbersOf(before)]
  const at = mine.findIndex((number, index) => number !== theirs[index])
  return at >= 0 && (mine[at] ?? 0) > (theirs[at] ?? 0)
}

/** What was unreleased is now in this version, and an empty heading waits for the next one. */
function closeUnreleased(changelog: string, version: string): string {
  if (!changelog.includes(`\n${UNRELEASED}`)) throw new Error('CHANGELOG.md has no heading "Unreleased".')
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## ${version}\n`)
}

/** The part of the changelog about a version. */
export function notesOf(changelog: string, version: string): string {
  const part = changelog.split(/^## /m).find((text) => text.startsWith(`${version}\n`))
  const notes = part?.slice(version.length).trim()
  if (!notes) throw new Error(`CHANGELOG.md says nothing about ${version}.`)
  return `${notes}\n`
}
