import { type HistoryStore, type ImportedEntry, keyOfMember } from '../members/index.ts'
import { type ImportResults, retryWhileLocked } from './add-members.ts'
import { createEntryReader, type ReadEntry } from './history-lines.ts'
import type { IdentityReader } from './identity.ts'
import { createMemberReader, type MemberReaderDependencies } from './member-reader.ts'
import type { MemberText } from './ndjson.ts'

interface EntryDependencies extends MemberReaderDependencies {
  readonly history: HistoryStore
  readonly userOf?: ((id: number) => number | undefined) | undefined
}

/** Adds histories, as an export has them: the entries of one member at once. */
export interface EntryImport {
  take(found: MemberText): Promise<void>
  /** Adds what was taken. */
  flush(): Promise<void>
}

export function createEntries(
  { userOf = () => undefined, ...dependencies }: EntryDependencies,
  addresses: IdentityReader,
  { tally }: Pick<ImportResults, 'tally'>,
): EntryImport {
  const { history, store } = dependencies
  // A past state need not be valid today, and no hook sees it.
  const readMember = createMemberReader({ ...dependencies, asStored: true, hooks: undefined }, addresses)
  const readEntry = createEntryReader(readMember, userOf)
  let taken: ReadEntry[] = []

  async function flush(): Promise<void> {
    const [first] = taken
    if (first === undefined) return
    const entries: ImportedEntry[] = taken.map(({ entry }) => entry)
    taken = []
    const name = { className: first.cls.name, id: first.entry.id }
    // A member that has a history keeps its own.
    const isThere = ((await history.first(name)) ?? (await store.find(name.className, name.id))) !== undefined
    if (isThere) return
    await retryWhileLocked(() => history.add(name.className, entries))
    tally.entries = (tally.entries ?? 0) + entries.length
  }

  return {
    async take(found) {
      const read = await readEntry(found)
      const [first] = taken
      if (first !== undefined && keyOf(first) !== keyOf(read)) await flush()
      taken.push(read)
    },
    flush,
  }
}

const keyOf = ({ cls, entry }: ReadEntry): string => keyOfMember({ className: cls.name, id: entry.id })
