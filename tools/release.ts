// `npm run release -- 0.2.0`: sets the version of all packages, closes the changelog, and puts what is to be published
// into release/: the packages, a list of everything in each (SBOM), checksums, and the notes. It publishes nothing.
// For the version that package.json has already, it only packs. `--dry-run` leaves the files of the clone as they are,
// `--out` names another folder, and `--built` packs what has been built before.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packageWorkspace } from './build-package.ts'
import { filesOfVersion, notesOf, PACKAGES } from './release-files.ts'

const root = dirname(import.meta.dirname)
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'dry-run': { type: 'boolean', default: false },
    built: { type: 'boolean', default: false },
    out: { type: 'string', default: join(root, 'release') },
  },
})
const [version, ...others] = positionals
if (version === undefined || others.length > 0) {
  console.error('Which version? For example: npm run release -- 0.2.0 --dry-run')
  process.exit(2)
}

const files = filesOfVersion(root, version)
const out = resolve(values.out)
rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
if (!values.built) execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' })

const stage = mkdtempSync(join(tmpdir(), 'hydrant-release-'))
try {
  copyInto(stage)
  for (const [folder, name] of Object.entries(PACKAGES)) pack(join(stage, folder), name)
  writeFileSync(join(out, 'NOTES.md'), notesOf(readFileSync(join(stage, 'CHANGELOG.md'), 'utf8'), version))
} finally {
  rmSync(stage, { recursive: true, force: true })
}
writeFileSync(join(out, 'SHA256SUMS'), checksums(out))
if (!values['dry-run']) for (const [path, text] of files) writeFileSync(join(root, path), text)
report()

/** What is packed, with the new version, in a folder of its own: a dry run leaves no trace in the clone. */
function copyInto(folder: string): void {
  const built = Object.keys(PACKAGES).map((path) => join(path, 'dist'))
  const described = Object.keys(PACKAGES).flatMap((path) =>
    ['package.json', 'README.md'].map((name) => join(path, name)),
  )
  for (const path of [
    ...built,
    ...described,
    'docs',
    'examples',
    'CHANGELOG.md',
    'LICENSE',
    'package-lock.json',
    '.npmrc',
  ])
    cpSync(join(root, path), join(folder, path), { recursive: true })
  for (const [path, text] of files) writeFileSync(join(folder, path), text)
  for (const name of ['client', 'mcp'] as const) packageWorkspace(folder, name)
}

/** Scripts have run by now: the build is above. */
function pack(folder: string, name: string): void {
  const published = name === 'hydrant' ? folder : join(folder, 'dist')
  npm(published, 'pack', '--ignore-scripts', '--pack-destination', out)
  const only = name === 'hydrant' ? '--workspaces=false' : `--workspace=${name}`
  const sbom = npm(stage, 'sbom', '--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx', only)
  writeFileSync(join(out, `${name}-${version}.cdx.json`), sbom)
}

function npm(cwd: string, ...args: string[]): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

/** As `sha256sum --check SHA256SUMS` reads them. */
function checksums(folder: string): string {
  const sumOf = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
  return readdirSync(folder)
    .sort()
    .map((name) => `${sumOf(name)}  ${name}\n`)
    .join('')
}

function report(): void {
  console.log(`${out} has version ${version}:`)
  for (const name of readdirSync(out).sort()) console.log(`  ${name}`)
  if (values['dry-run'] || files.size === 0) return
  console.log(`Changed: ${[...files.keys()].join(', ')}.`)
  console.log('Next: move PREVIOUS_COMMIT (test/support/previous-build.ts) as it says there, commit, then')
  console.log(
    `  git tag v${version}    # pushing the tag publishes the packages (.github/workflows/publish.yml)`,
  )
}
