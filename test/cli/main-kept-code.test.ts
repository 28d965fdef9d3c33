import assert from 'node:assert/strict'
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { ROOT } from '../support/markdown.ts'
import { newPostgres } from '../support/postgres.ts'
import { HYDRANT, run, start } from '../support/processes.ts'
import { temporaryFolder } from '../support/service.ts'
import { folderWithApi } from './command.ts'

test('compiled code is kept beside the program, and replaced where it is damaged', async () => {
  const folder = join(ROOT, 'dist', '.compiled')
  const printVersion = () =>
    run(process.execPath, [HYDRANT, '--version'], { env: { NODE_COMPILE_CACHE: '' } })
  await printVersion()
  const name = readdirSync(folder).find((one) => one.includes(`.cjs-command-${process.version}`)) ?? ''
  const bytes = readFileSync(join(folder, name))
  bytes[bytes.length >> 1] = ~(bytes[bytes.length >> 1] ?? 0)
  writeFileSync(join(folder, name), bytes)
  const { status, stdout } = await printVersion()
  assert.equal(status, 0)
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/)
  const replaced = readFileSync(join(folder, name))
  assert.equal(crc32(replaced.subarray(4)), replaced.readUInt32LE())
})

/** Loaded into a command before it runs (`--import`): prints what becomes of the code that was kept. */
const WATCH = `
  import { syncBuiltinESMExports } from 'node:module'
  import vm from 'node:vm'
  const { Script } = vm
  vm.Script = class extends Script {
    constructor(text, options) {
      super(text, options)
      const use = options.cachedData && (this.cachedDataRejected ? 'refused' : 'used')
      process.stderr.write(\`code: \${use ?? 'none'}\\n\`)
    }
  }
  syncBuiltinESMExports()`

test('code that a server has kept is used by the next one, and by its threads and processes', async (t) => {
  // Of its own: another test may start a server with other flags of V8, under which it keeps other code.
  const own = temporaryFolder(t)
  const filter = (path: string) => !/[\\/](?:\.compiled|console)$/.test(path)
  cpSync(join(ROOT, 'dist'), join(own, 'dist'), { recursive: true, filter })
  for (const name of ['package.json', 'node_modules']) symlinkSync(join(ROOT, name), join(own, name))
  const watch = join(own, 'watch.mjs')
  writeFileSync(watch, WATCH)
  const db = newPostgres(t)
  const codesOf = async (workers: string) => {
    const program = join(own, 'dist', 'cli', 'main.js')
    const flags = ['--no-auth', '--port', '0', '--workers', workers]
    const env = { HYDRANT_DB: db, NODE_COMPILE_CACHE: '', NODE_OPTIONS: `--import ${watch}` }
    const options = { cwd: folderWithApi(t), env }
    const server = await start(t, [program, 'serve', ...flags], /"msg":"listening"/, options)
    assert.equal(await server.stop(), 0)
    return [...server.stderr().matchAll(/^code: (\w+)$/gm)].map(([, code]) => code)
  }
  assert.ok((await codesOf('1')).every((code) => code === 'none'))
  const codes = await codesOf('2')
  assert.ok(codes.length >= 3, `${codes}`)
  assert.deepEqual(new Set(codes), new Set(['used']))
})
