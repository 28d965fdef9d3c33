import { ApiError, type ClassDescription, type MemberEntry } from 'hydrant-client'
import { useState } from 'preact/hooks'
import {
  type Api,
  classOf,
  collectionHolding,
  findName,
  membersWord,
  useApi,
  useRemoteChanges,
} from '../../shared/connection/index.ts'
import {
  ChangeFacts,
  Failure,
  Page,
  PageLink,
  RemoteChangeNote,
  Status,
  useKnownNames,
  useMoreRows,
} from '../../shared/controls/index.ts'
import { type Gradual, REQUESTED, useGradual } from '../../shared/gradual.ts'
import { addressBelow, shortName } from '../../shared/names.ts'
import { useLoading } from '../../shared/state.ts'
import { EntryComparison } from './entry-comparison.tsx'
import { EntryTable } from './entry-table.tsx'
import { RestoreDialog } from './restore-dialog.tsx'

/** What a member was, also if it was deleted. */
export function HistoryPage({ path }: { path: string }) {
  const api = useApi()
  const iri = addressBelow(api.base, path)
  const { remoteChanges, begin } = useRemoteChanges({ resource: iri })
  const history = useGradual(
    async function* (signal) {
      await begin()
      yield* api.client.history(iri, { signal, itemsPerPage: REQUESTED })
    },
    [iri],
  )
  const { items, error, busy, reload } = history
  const newest = items?.[0]
  const described = useLoading(async (signal) => newest && describe(api, newest, signal), [newest])
  const known = useKnownNames().get(iri)
  const { name = known ?? shortName(path), cls } = described.value ?? {}
  return (
    <Page
      title={`History of ${name}`}
      actions={<RemoteChangeNote change={remoteChanges.get(iri)} onReload={reload} />}
    >
      {newest && <Lead newest={newest} iri={iri} path={path} name={name} />}
      {busy && !items && <Status>Loading …</Status>}
      {error !== undefined &&
        (isMissing(error) ? (
          <p>It has no history, or none that you may see.</p>
        ) : (
          <Failure error={error} onRetry={reload} />
        ))}
      {items && <Changes {...{ history, name, cls, path }} />}
    </Page>
  )
}

/** The member does not link to a history. */
const isMissing = (error: unknown): boolean => error instanceof ApiError && error.code === 'no-address'

async function describe(api: Api, entry: MemberEntry, signal: AbortSignal) {
  const member = await entry.member({ signal })
  return { cls: classOf(api, member), name: await findName(api, member, signal) }
}

function Lead(props: { newest: MemberEntry; iri: string; path: string; name: string }) {
  const { newest, iri, path, name } = props
  const collection = collectionHolding(useApi().collections, iri)
  if (newest.type !== 'delete') return <PageLink route={{ page: 'member', path }}>Back to {name}</PageLink>
  return (
    <>
      <ChangeFacts entry={newest} />
      {collection && (
        <PageLink route={{ page: 'deleted', name: collection.name }}>
          Show deleted {membersWord(collection)}
        </PageLink>
      )}
    </>
  )
}

interface ChangesProps {
  readonly history: Gradual<MemberEntry>
  readonly name: string
  readonly cls: ClassDescription | undefined
  readonly path: string
}

function Changes({ history, name, cls, path }: ChangesProps) {
  const { items: entries = [], reload } = history
  const rows = useMoreRows(history, 'Show older changes')
  const [chosen, setChosen] = useState<readonly (string | undefined)[]>([])
  const [restored, setRestored] = useState<MemberEntry>()
  const indexOf = (iri: string | undefined, otherwise: number) => {
    const found = entries.findIndex((one) => one.iri === iri)
    return found < 0 ? otherwise : found
  }
  const [from, to] = [indexOf(chosen[0], 1), indexOf(chosen[1], 0)]
  const newer = entries[Math.min(from, to)]
  if (!newer) return <p>Nothing of it is remembered.</p>
  return (
    <>
      <EntryTable
        entries={entries}
        cls={cls}
        compared={[from, to]}
        onCompare={([one, other]) => setChosen([entries[one]?.iri, entries[other]?.iri])}
        focusOf={rows.focusOf}
        onRestore={setRestored}
      />
      {rows.button}
      <EntryComparison older={entries[Math.max(from, to)]} newer={newer} cls={cls} />
      {restored && (
        <RestoreDialog
          entry={restored}
          name={name}
          cls={cls}
          path={path}
          onClose={() => setRestored(undefined)}
          onReload={reload}
        />
      )}
    </>
  )
}
