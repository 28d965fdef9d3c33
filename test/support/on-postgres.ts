import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { usePostgres } from './databases.ts'
import { ROOT } from './markdown.ts'

/** The usual reason to leave a suite out. */
export const BEFORE_A_STORE = 'what it is about happens before a store is asked'

/**
 * Runs the suites of a folder below test/ once more, on PostgreSQL. `apart`: those that are not about a store's
 * behaviour, with the reason.
 */
export function runOnPostgres(folder: string, apart: Readonly<Record<string, string>> = {}): void {
  const path = join(ROOT, 'test', folder)
  const files = readdirSync(path).filter((file) => file.endsWith('.test.ts'))
  for (const file of Object.keys(apart)) {
    if (!files.includes(file)) throw new Error(`There is no test/${folder}/${file} to be left out.`)
  }
  usePostgres()
  describe(`${folder} on PostgreSQL`, async () => {
    for (const file of files) if (!(file in apart)) await import(join(path, file))
  })
}
