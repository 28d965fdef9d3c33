import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openStore } from '../../src/store/open.ts'
import { startClient, type TestClient, USER } from './client.ts'
import { newDatabase } from './databases.ts'
import { ROOT } from './markdown.ts'
import { run, start } from './processes.ts'
import { API, paraphraseHash, temporaryFolder } from './service.ts'

/** As `npm test` has just built it; for a file that runs alone, the source. */
const MAIN = process.env.HYDRANT_TEST_MAIN || join(ROOT, 'src', 'cli', 'main.ts')

export interface ServerProcess {
  readonly client: TestClient
  /** `kill -9`: no handler runs, nothing is flushed. */
  kill(): Promise<unknown>
}

/** `hydrant serve` in a process of its own, ended with the test at the latest. */
export async function spawnServer(
  t: TestContext,
  db: string,
  text = API,
  ...flags: readonly string[]
): Promise<ServerProcess> {
  const api = join(temporaryFolder(t), 'api.yaml')
  writeFileSync(api, text)
  const args = [MAIN, 'serve', api, '--port', '0', '--db', db, '--log-format', 'json', ...flags]
  const { output, stop } = await start(t, args, /"url":"[^"]+".*"msg":"listening"/)
  const base = /"url":"([^"]+)"/.exec(output())?.[1] ?? ''
  return { client: startClient({ base, port: Number(new URL(base).port) }), kill: () => stop('SIGKILL') }
}

/** Any other command of `hydrant`, to its end. */
export async function runCommand(args: readonly string[], input = ''): Promise<string> {
  const { status, stdout, stderr } = await run(process.execPath, [MAIN, ...args], { input })
  if (status !== 0) throw new Error(`hydrant ${args.join(' ')} ended with ${status}: ${stderr}`)
  return stdout
}

/** A database with the user of all tests, which no process has open. */
export async function prepareDatabase(t: TestContext, db: string = newDatabase(t)): Promise<string> {
  const store = await openStore(db)
  await store.auth.addUser({ id: USER, paraphraseHash: await paraphraseHash() }, 0)
  await store.close()
  return db
}
