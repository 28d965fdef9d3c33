import { createReadStream, existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FIRST_MEMBER } from '../../members/index.ts'
import type { Store } from '../../store/index.ts'
import { importSentence } from '../../transfer/index.ts'
import { isAccount, type Model, storedClasses } from '../../vocabulary/index.ts'
import { commandProblem } from '../problems.ts'

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url))
/** The API file that is served if there is no other. */
export const BUNDLED = join(EXAMPLES, 'library.yaml')

/** The sample data of a bundled example. */
export function sampleOf(path: string): string | undefined {
  const sample = resolve(path).replace(/\.yaml$/, '.ndjson')
  return dirname(sample) === EXAMPLES && existsSync(sample) ? sample : undefined
}

/** Links in the sample data are paths below the base URL: any base will do to read them. */
const BASE = 'http://sample'

/** Fills an empty store. If it has members, they belong to the user of the store by now. */
export async function addSampleData(path: string, model: Model, store: Store): Promise<void> {
  for (const { name } of storedClasses(model).filter((cls) => !isAccount(cls))) {
    if ((await store.members.list(name, FIRST_MEMBER)).members.length > 0) return
  }
  const { importMembers } = await import('../../transfer/index.ts')
  await importMembers({
    model,
    base: BASE,
    store: store.members,
    history: store.history,
    chunks: createReadStream(path),
    format: 'ndjson',
    file: basename(path),
    now: Date.now,
    report({ line }, problem) {
      const reason = importSentence(problem)
      throw commandProblem('InvalidData', { reason }, { at: { source: path, line } })
    },
    progress() {},
  })
}
