import type { Batch, CollectionDescription, Member } from 'hydrant-client'
import { useState } from 'preact/hooks'
import { membersWord, memberWord, useApi } from '../../../shared/connection/index.ts'
import { announce, Button, Status, takeFocus, useMounted } from '../../../shared/controls/index.ts'
import { nameOf } from '../../../shared/labels.ts'
import { type FailedRow, writeEach } from './batch-writes.ts'
import type { RowSelection } from './use-selection.ts'

export interface SelectionDialogProps {
  readonly selection: RowSelection
  readonly onClose: () => void
}

/** `3 books` */
export const countOf = (count: number, collection: CollectionDescription): string =>
  `${count.toLocaleString()} ${count === 1 ? memberWord(collection) : membersWord(collection)}`

interface WritesOutcome {
  readonly members: readonly Member[]
  readonly failed: readonly FailedRow[]
}

/** Writes all selected members; those that fail stay selected. `done`: what was done to them, such as `deleted`. */
export function useWrites({ selection, onClose }: SelectionDialogProps, done: string) {
  const { client } = useApi()
  const { collection, reload } = selection
  const [busy, setBusy] = useState<string | false>(false)
  const [outcome, setOutcome] = useState<WritesOutcome>()
  const isMounted = useMounted()
  const was = (count: number) => `${countOf(count, collection)} ${count === 1 ? 'was' : 'were'}`
  const wasDone = (count: number) => `${was(count)} ${done}.`

  const run = async (write: (batch: Batch, member: Member) => void): Promise<void> => {
    const { members } = selection
    const failed = await writeEach(client, members, write, (written) =>
      setBusy(`${written.toLocaleString()} of ${members.length.toLocaleString()} …`),
    )
    const [first] = failed
    if (first === undefined) announce(wasDone(members.length))
    // The user has gone to another page.
    else if (!isMounted()) announce(`${was(failed.length)} not ${done}. ${first.reason}`)
    if (!isMounted()) return
    setBusy(false)
    selection.keep(failed.map(({ iri }) => iri))
    reload()
    if (failed.length === 0) onClose()
    else setOutcome({ members, failed })
  }
  return {
    busy,
    run,
    outcome: outcome && (
      <>
        <Status class="">{wasDone(outcome.members.length - outcome.failed.length)}</Status>
        <Failures {...outcome} collection={collection} />
        <div class="actions">
          {/* The control that had the focus is gone. */}
          <Button label="Close" class="primary" ref={takeFocus} onClick={onClose} />
        </div>
      </>
    ),
  }
}

function Failures({
  members,
  failed,
  collection,
}: WritesOutcome & { readonly collection: CollectionDescription }) {
  const { classes } = useApi().documentation
  const nameAt = (iri: string): string => {
    const member = members.find((one) => one.iri === iri)
    return member ? nameOf(member, collection.memberClass, classes) : iri
  }
  return (
    <div class="failure" role="alert">
      <p>{failed.length === 1 ? 'One was not:' : `${failed.length.toLocaleString()} were not:`}</p>
      <ul class="bullets selection-failures">
        {failed.map(({ iri, reason }) => (
          <li key={iri}>
            <strong>{nameAt(iri)}</strong>: {reason}
          </li>
        ))}
      </ul>
    </div>
  )
}
