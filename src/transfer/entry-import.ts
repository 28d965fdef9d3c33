import { type HistoryStore, type ImportedEntry, keyOfMember, type MemberName } from '../members/index.ts'
import { type ImportResults, retryWhileLocked } from './add-members.ts'
import { createEntryReader, type ReadEntry } from './history-lines.ts'
import type { IdentityReader } from './identity.ts'
import { createMemberReader, type MemberReaderDependencies } from './member-reader.ts'
import type { DataPlace, MemberText } from './ndjson.ts'
import { importProblem } from './problems.ts'

interface EntryDependencies extends MemberReaderDependencies {
  readonly history: HistoryStore
  readonly userOf?: ((id: number) => number | undefined) | undefined
}

/**
 * Adds histories, as an export has them: the entries of one member at once, before the member, since they have lower
 * versions. Whether the member is added may be known only at the end of the data, where its links lead to later ones. So
 * the entries of members that were not added after all are removed at the end: a member that never was in this database
 * was not deleted either.
 */
export interface EntryImport {
  take(found: MemberText): Promise<void>
  /** Adds what was taken. */
  flush(): Promise<void>
  /** Called for each member that is there now. */
  keep(member: MemberName): void
  /** Called after all members. */
  end(): Promise<void>
}

/** Entries that were added before their member. */
interface Early {
  readonly name: MemberName
  readonly place: DataPlace
  readonly count: number
  /** The version of the last one. */
  readonly last: number
}

export function createEntries(
  { userOf = () => undefined, ...dependencies }: EntryDependencies,
  addresses: IdentityReader,
  { tally, isRefused, refuse }: Pick<ImportResults, 'tally' | 'isRefused' | 'refuse'>,
): EntryImport {
  const { history, store } = dependencies
  // A past state need not be valid today, and no hook sees it.
  const readMember = createMemberReader({ ...dependencies, asStored: true, hooks: undefined }, addresses)
  const readEntry = createEntryReader(readMember, userOf)
  let taken: (ReadEntry & { readonly place: DataPlace })[] = []
  const early = new Map<string, Early>()

  async function flush(): Promise<void> {
    const [first] = taken
    if (first === undefined) return
    const { place } = first
    const entries: ImportedEntry[] = taken.map(({ entry }) => entry)
    taken = []
    const name = { className: first.cls.name, id: first.entry.id }
    // A member that has a history keeps its own.
    const isThere = ((await history.first(name)) ?? (await store.find(name.className, name.id))) !== undefined
    if (isThere) return
    await retryWhileLocked(() => history.add(name.className, entries))
    tally.entries = (tally.entries ?? 0) + entries.length
    // A member that was deleted is not among the data.
    if (entries.at(-1)?.kind === 'delete') return
    const [last] = await history.heads(name, { limit: 1 })
    if (last !== undefined)
      early.set(keyOfMember(name), { name, place, count: entries.length, last: last.version })
  }

  return {
    async take(found) {
      const read = await readEntry(found)
      const [first] = taken
      if (first !== undefined && keyOf(first) !== keyOf(read)) await flush()
      const { line, row } = found
      taken.push({ ...read, place: { line, row } })
    },
    flush,
    keep: (member) => void early.delete(keyOfMember(member)),
    async end() {
      for (const { name, place, count, last } of early.values()) {
        await retryWhileLocked(() => history.remove(name, last))
        tally.entries = (tally.entries ?? 0) - count
        if (!isRefused(name)) refuse(place, [importProblem('EntriesWithoutMember', name)])
      }
      if (tally.entries === 0) delete tally.entries
    },
  }
}

const keyOf = ({ cls, entry }: ReadEntry): string => keyOfMember({ className: cls.name, id: entry.id })
