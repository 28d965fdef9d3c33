// Compiles src/ to dist/ with tsc, and the console to dist/console/ with esbuild; writes the schema of API files; makes
// the command executable.
import { spawnSync } from 'node:child_process'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { API_FILE_SCHEMA } from '../src/vocabulary/short-form/keys.ts'
import { buildConsole } from './build-console.ts'

const root = dirname(import.meta.dirname)
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))

rmSync(join(root, 'dist'), { recursive: true, force: true })
await buildConsole(join(root, 'dist', 'console'))
const tsc = spawnSync(process.execPath, [join(typescript, 'bin', 'tsc'), '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
})
if (tsc.status !== 0) process.exit(tsc.status ?? 1)
writeFileSync(join(root, 'dist', 'api.schema.json'), JSON.stringify(API_FILE_SCHEMA, undefined, 2))
chmodSync(join(root, 'dist', 'cli', 'main.js'), 0o755)
