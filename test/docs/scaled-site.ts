import assert from 'node:assert/strict'
import {
  chownSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { makeCertificate } from '../cli/certificate.ts'
import { freePort } from '../cli/command.ts'
import { codeBlock, ROOT } from '../support/markdown.ts'
import { onPostgres } from '../support/postgres.ts'
import { createPostgresServer, type PostgresServer } from '../support/postgres-server.ts'
import { run } from '../support/processes.ts'
import { temporaryFolder } from '../support/service.ts'
import { inSoak } from '../support/soak.ts'

export const PAGE = 'docs/scaling.md'
export const PASSWORD = 'neverseen0123456789'
export const HOSTS = ['10.0.0.11', '10.0.0.12'] as const

/** The machines of the page as this one has them: its paths in a folder, its addresses on ports of loopback. */
export interface Site {
  readonly folder: string
  /** What the page says, with our folder, password and PostgreSQL. */
  ours(text: string): string
  /** Runs blocks of shell in one shell; what each has printed. */
  shell(blocks: readonly string[], input?: string): Promise<string[]>
  readonly ports: Readonly<Record<string, { readonly api: number; readonly ops: number }>>
  readonly database: PostgresServer
}

/** A PostgreSQL with TLS, with the role and the database of the page; and a clone that is not yet set up. */
export async function createSite(t: TestContext): Promise<Site> {
  const folder = temporaryFolder(t)
  const database = await createPostgresServer({ fsync: 'off' })
  t.after(() => database.remove())
  for (const statement of codeBlock(PAGE, 'sql', 'CREATE ROLE').trim().split('\n'))
    await onPostgres(database.url, statement)
  await onPostgres(database.url, `ALTER ROLE hydrant PASSWORD '${PASSWORD}'`)
  mkdirSync(join(folder, 'etc'))
  await useTls(database, join(folder, 'etc/postgres-ca.pem'))

  makeClone(join(folder, 'opt'))
  mkdirSync(join(folder, 'bin'))
  const ports = Object.fromEntries(
    await Promise.all(
      HOSTS.map(async (host) => [host, { api: await freePort(), ops: await freePort() }] as const),
    ),
  )
  const redirections = HOSTS.flatMap((host) => [
    `connect-to = "${host}:8080:127.0.0.1:${ports[host]?.api}"`,
    `connect-to = "${host}:9090:127.0.0.1:${ports[host]?.ops}"`,
  ])
  writeFileSync(join(folder, '.curlrc'), redirections.join('\n'))

  const ours = (text: string) =>
    text
      .replaceAll('/opt/hydrant', join(folder, 'opt'))
      .replaceAll('/usr/local/bin', join(folder, 'bin'))
      .replaceAll('/etc/hydrant', join(folder, 'etc'))
      .replaceAll('/var/lib/hydrant', folder)
      .replaceAll('<password>', PASSWORD)
      .replaceAll('db.example.org:5432', `localhost:${database.port}`)
  const shell = async (blocks: readonly string[], input = '') => {
    const script = blocks.map((block) => `${ours(block)}\nprintf '\\036'`).join('\n')
    const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, CURL_HOME: folder, HOME: folder }
    const { status, stdout, stderr } = await run('bash', ['-ec', script], { cwd: folder, env, input })
    assert.equal(status, 0, stdout + stderr)
    return stdout
      .split('\u001e')
      .slice(0, -1)
      .map((text) => text.trim())
  }
  return { folder, ours, shell, ports, database }
}

/** As it is in the repository, but for what `npm ci` would install: that is there. */
function makeClone(folder: string): void {
  mkdirSync(folder)
  const files = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'LICENSE']
  // Built already, as container.test.ts shows it of a copy of its own.
  const built = inSoak([], ['dist'])
  for (const name of [...files, 'bin', 'console', 'examples', 'packages', 'src', 'tools', ...built])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  // Older than what is installed, so that nothing is.
  utimesSync(join(folder, 'package-lock.json'), 0, 0)
}

/** With a certificate for localhost, whose key must belong to whoever runs PostgreSQL. */
async function useTls({ url }: PostgresServer, copy: string): Promise<void> {
  const [[shown] = []] = await onPostgres(url, 'SHOW data_directory')
  const folder = String(shown)
  await makeCertificate(folder)
  const { uid, gid } = statSync(join(folder, 'PG_VERSION'))
  for (const file of ['key.pem', 'cert.pem']) chownSync(join(folder, file), uid, gid)
  copyFileSync(join(folder, 'cert.pem'), copy)
  for (const setting of ["ssl_key_file = 'key.pem'", "ssl_cert_file = 'cert.pem'", 'ssl = on'])
    await onPostgres(url, `ALTER SYSTEM SET ${setting}`)
  await onPostgres(url, 'SELECT pg_reload_conf()')
}
