import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** What something is ended with: a test, or all tests of a file. */
export type Ended = Pick<TestContext, 'after'>

export function temporaryFolder(t: Ended): string {
  const folder = mkdtempSync(join(tmpdir(), 'hydrant-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
