import type { ClassDescription, CollectionDescription, DeletedMember } from 'hydrant-client'
import { useState } from 'preact/hooks'
import { collectionTitle, membersWord, useApi, useRemoteChanges } from '../../shared/connection/index.ts'
import {
  Actor,
  Button,
  Failure,
  Moment,
  NotOffered,
  Page,
  PageLink,
  Status,
  useMoreRows,
} from '../../shared/controls/index.ts'
import { type Gradual, REQUESTED, useGradual } from '../../shared/gradual.ts'
import { nameOf } from '../../shared/labels.ts'
import { hrefOf, pathBelow, titleOf } from '../../shared/names.ts'
import { RestoreDialog } from './restore-dialog.tsx'

/** The members of a collection that were deleted and can be restored. */
export function DeletedPage({ name }: { name: string }) {
  const collection = useApi().collections.find((one) => one.name === name)
  if (collection?.memberClass?.history) return <DeletedView collection={collection} />
  return (
    <NotOffered title={collection ? collectionTitle(collection) : titleOf(name)} name={name}>
      {collection
        ? `${collectionTitle(collection)} have no history, or none that you may see.`
        : `The API has no collection “${name}”.`}
    </NotOffered>
  )
}

function DeletedView({ collection }: { collection: CollectionDescription }) {
  const { client } = useApi()
  const { name, memberClass } = collection
  const { remoteChanges, begin } = useRemoteChanges({ collection: name })
  const deleted = useGradual(
    async function* (signal) {
      await begin()
      yield* client.collection(name).deleted({ signal, itemsPerPage: REQUESTED })
    },
    [name],
  )
  const { items, error, busy, reload } = deleted
  const news = [...remoteChanges.values()].filter((change) => change === 'delete').length
  const actions = (
    <>
      <span class="remote-changes" role="status">
        {news > 0 && <Button label={`${news.toLocaleString()} more: show`} class="quiet" onClick={reload} />}
      </span>
      <Button label="Refresh" class="quiet" onClick={reload} />
    </>
  )
  return (
    <Page title={`Deleted ${membersWord(collection)}`} actions={actions}>
      <PageLink route={{ page: 'table', name }}>Back to {collectionTitle(collection)}</PageLink>
      {busy && !items && <Status>Loading …</Status>}
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      {items?.length === 0 && <Status>Nothing that was deleted can be restored.</Status>}
      {items && items.length > 0 && <DeletedTable {...{ deleted, cls: memberClass }} />}
    </Page>
  )
}

interface DeletedTableProps {
  readonly deleted: Gradual<DeletedMember>
  readonly cls: ClassDescription | undefined
}

function DeletedTable({ deleted, cls }: DeletedTableProps) {
  const { base, documentation } = useApi()
  const { items = [], reload } = deleted
  const rows = useMoreRows(deleted, 'Show more')
  const [restored, setRestored] = useState<DeletedMember>()
  const nameIn = (member: DeletedMember) => nameOf(member, cls, documentation.classes)
  const pathOf = ({ iri }: DeletedMember) => pathBelow(base, iri) ?? ''
  return (
    <>
      <section class="member-table history-entries" aria-label="Deleted members" {...{ tabIndex: 0 }}>
        <table>
          <thead>
            <tr>
              <th scope="col">{cls?.title}</th>
              <th scope="col">Deleted</th>
              <th scope="col">By</th>
              <th scope="col">
                <span class="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map((member, index) => (
              <tr key={member.deletion.iri} {...rows.focusOf(index)}>
                <th scope="row">
                  <a href={hrefOf({ page: 'history', path: pathOf(member) })}>{nameIn(member)}</a>
                </th>
                <td>
                  <Moment at={member.deletion.published} />
                </td>
                <td>
                  <Actor iri={member.deletion.actor} />
                </td>
                <td>
                  {member.deletion.mayRestore && (
                    <Button onClick={() => setRestored(member)}>
                      Restore<span class="visually-hidden"> {nameIn(member)}</span>
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.button}
      {restored && (
        <RestoreDialog
          entry={restored.deletion}
          name={nameIn(restored)}
          cls={cls}
          path={pathOf(restored)}
          onClose={() => setRestored(undefined)}
          onReload={reload}
        />
      )}
    </>
  )
}
