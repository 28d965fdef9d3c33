// Compiles packages/client, packages/mcp and src/ with tsc, each to its own dist/, and the console to dist/console/ with
// esbuild, which also joins the files of src/; writes the JSON Schema of API files; makes the command executable.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { API_FILE_SCHEMA } from '../src/vocabulary/short-form/keys.ts'
import { buildConsole } from './build-console.ts'
import { packageWorkspace } from './build-package.ts'
import { bundle } from './bundle.ts'

const root = dirname(import.meta.dirname)
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))

buildWorkspace('client')
// `npm start` does not need it, and the container image has neither the package nor its dependencies.
const isServerOnly = process.argv.includes('--server-only')
const hasProtocol = existsSync(join(root, 'node_modules', '@modelcontextprotocol', 'server'))
if (hasProtocol && !isServerOnly) buildWorkspace('mcp')

rmSync(join(root, 'dist'), { recursive: true, force: true })
await buildConsole(join(root, 'dist', 'console'))
compile('tsconfig.build.json')
await bundle(join(root, 'dist'))
writeFileSync(join(root, 'dist', 'api.schema.json'), JSON.stringify(API_FILE_SCHEMA, undefined, 2))
chmodSync(join(root, 'dist', 'cli', 'main.js'), 0o755)

function buildWorkspace(name: 'client' | 'mcp'): void {
  rmSync(join(root, 'packages', name, 'dist'), { recursive: true, force: true })
  compile(`packages/${name}`)
  packageWorkspace(root, name)
}

function compile(project: string): void {
  const tsc = spawnSync(process.execPath, [join(typescript, 'bin', 'tsc'), '-p', project], {
    cwd: root,
    stdio: 'inherit',
  })
  if (tsc.status !== 0) process.exit(tsc.status ?? 1)
}
