// Compiles packages/client, packages/mcp and src/ with tsc, each to its own dist/, and the console to dist/console/ with
// esbuild, which also joins the files of src/; writes the JSON Schema of API files; makes the command executable. What
// has not changed since the last build is not built again.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { API_FILE_SCHEMA } from '../src/vocabulary/short-form/keys.ts'
import { buildConsole } from './build-console.ts'
import { packageWorkspace } from './build-package.ts'
import { bundle } from './bundle.ts'

const root = dirname(import.meta.dirname)
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))
/** What every part depends on. */
const COMMON = ['tools/b*.ts', 'tsconfig*.json', 'package.json', 'package-lock.json', 'LICENSE']

await buildPart(join('packages', 'client'), ['packages/client/**'], (folder) =>
  compileWorkspace('client', folder),
)
// `npm start` does not need it, and the container image has neither the package nor its dependencies.
const isServerOnly = process.argv.includes('--server-only')
const hasProtocol = existsSync(join(root, 'node_modules', '@modelcontextprotocol', 'server'))
if (hasProtocol && !isServerOnly)
  await buildPart(join('packages', 'mcp'), ['packages/**'], (folder) => compileWorkspace('mcp', folder))
await buildPart('.', ['src/**', 'console/**', 'packages/client/**'], async (folder) => {
  console.error('Building Hydrant (10 to 30 seconds) ...')
  await buildConsole(join(folder, 'console'))
  compile('tsconfig.build.json', folder)
  await bundle(folder)
  writeFileSync(join(folder, 'api.schema.json'), JSON.stringify(API_FILE_SCHEMA, undefined, 2))
  chmodSync(join(folder, 'cli', 'main.js'), 0o755)
})

/**
 * Builds the dist/ of a part unless it is up to date. It is built in a folder of its own, which takes the place of dist/
 * when it is complete: so a build that ends halfway, or runs beside another one or a server, leaves no half of one.
 */
async function buildPart(
  part: string,
  sources: readonly string[],
  build: (folder: string) => void | Promise<void>,
): Promise<void> {
  const dist = join(root, part, 'dist')
  const builtFrom = join(root, 'node_modules', '.cache', 'built', part === '.' ? 'server' : basename(part))
  const digest = digestOf([...COMMON, ...sources])
  if (existsSync(dist) && existsSync(builtFrom) && readFileSync(builtFrom, 'utf8') === digest) return
  const [building, former] = [join(root, part, `.dist-${process.pid}`), `${dist}-${process.pid}`]
  process.once('exit', () => {
    for (const folder of [building, former]) rmSync(folder, { recursive: true, force: true })
  })
  await build(building)
  rmSync(builtFrom, { force: true })
  if (existsSync(dist)) renameSync(dist, former)
  renameSync(building, dist)
  mkdirSync(dirname(builtFrom), { recursive: true })
  writeFileSync(builtFrom, digest)
}

function digestOf(patterns: readonly string[]): string {
  const files = globSync(patterns, {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**', '**/.dist-*/**'],
  })
  const digest = createHash('sha256')
  for (const file of files.filter((one) => statSync(join(root, one)).isFile()).sort())
    digest
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  return digest.digest('hex')
}

function compileWorkspace(name: 'client' | 'mcp', folder: string): void {
  compile(`packages/${name}`, folder)
  packageWorkspace(root, name, folder)
}

function compile(project: string, folder: string): void {
  const tsc = spawnSync(
    process.execPath,
    [join(typescript, 'bin', 'tsc'), '-p', project, '--outDir', folder],
    {
      cwd: root,
      stdio: 'inherit',
    },
  )
  if (tsc.status !== 0) process.exit(tsc.status ?? 1)
}
