// Compiles packages/client and src/ with tsc, each to its own dist/, and the console to dist/console/ with esbuild, which
// also joins the files of src/; writes the JSON Schema of API files; makes the command executable.
import { spawnSync } from 'node:child_process'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { API_FILE_SCHEMA } from '../src/vocabulary/short-form/keys.ts'
import { packageClient } from './build-client.ts'
import { buildConsole } from './build-console.ts'
import { bundle } from './bundle.ts'

const root = dirname(import.meta.dirname)
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))

rmSync(join(root, 'packages', 'client', 'dist'), { recursive: true, force: true })
compile('packages/client')
packageClient(root)

rmSync(join(root, 'dist'), { recursive: true, force: true })
await buildConsole(join(root, 'dist', 'console'))
compile('tsconfig.build.json')
await bundle(join(root, 'dist'))
writeFileSync(join(root, 'dist', 'api.schema.json'), JSON.stringify(API_FILE_SCHEMA, undefined, 2))
chmodSync(join(root, 'dist', 'cli', 'main.js'), 0o755)

function compile(project: string): void {
  const tsc = spawnSync(process.execPath, [join(typescript, 'bin', 'tsc'), '-p', project], {
    cwd: root,
    stdio: 'inherit',
  })
  if (tsc.status !== 0) process.exit(tsc.status ?? 1)
}
