import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { newPostgres } from '../support/postgres.ts'
import type { Finished } from '../support/processes.ts'
import { folderWithApi, hydrant } from './command.ts'

/** A folder to run commands in, and a database on PostgreSQL that is not there yet. */
export interface Place {
  readonly folder: string
  readonly url: string
  readonly env: { readonly HYDRANT_DB: string }
  /** A command in the folder, on the database; whatever it prints, the password is not in it. */
  command(args: readonly string[], input?: string): Promise<Finished>
}

export function newPlace(t: TestContext, folder = folderWithApi(t)): Place {
  const url = newPostgres(t)
  const env = { HYDRANT_DB: url }
  return {
    folder,
    url,
    env,
    async command(args, input = '') {
      const finished = await hydrant(args, { cwd: folder, env, input })
      assertSilent(url, finished.stdout + finished.stderr)
      return finished
    },
  }
}

export const assertSilent = (url: string, text: string) =>
  assert.ok(!text.includes(new URL(url).password), `the password is told: ${text}`)

export async function done(finished: Promise<Finished>): Promise<string> {
  const { status, stdout, stderr } = await finished
  assert.equal(status, 0, stderr)
  return stdout
}
