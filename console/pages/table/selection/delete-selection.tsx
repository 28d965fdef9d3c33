import { sentenceOf, useApi } from '../../../shared/connection/index.ts'
import { Button, Dialog, Status } from '../../../shared/controls/index.ts'
import { nameOf } from '../../../shared/labels.ts'
import { RemovalList, useRemovals } from '../../member/index.ts'
import { countOf, type SelectionDialogProps, useWrites } from './use-writes.tsx'

const MOST_NAMED = 5

/** Names what would be deleted, and what else, then deletes it. */
export function DeleteSelection(props: SelectionDialogProps) {
  const { selection, onClose } = props
  const { collection, members } = selection
  const { classes } = useApi().documentation
  const { busy, run, outcome } = useWrites(props, 'deleted')
  const removals = useRemovals(members, collection.memberClass)
  const title = `Delete ${countOf(members.length, collection)}?`
  if (outcome)
    return (
      <Dialog title="Not all were deleted" onCancel={onClose}>
        {outcome}
      </Dialog>
    )
  const names = members
    .slice(0, MOST_NAMED)
    .map((member) => nameOf(member, collection.memberClass, classes))
    .join(', ')
  const rest = members.length - MOST_NAMED
  return (
    <Dialog title={title} onCancel={() => busy || onClose()}>
      <p>
        {names}
        {rest > 0 && ` and ${rest.toLocaleString()} more`}
      </p>
      {removals.isOffered && (
        <Status class="delete-others">
          {removals.busy && 'Looking for what would be deleted with them …'}
          {removals.isTooMuch && 'What would be deleted with them is only shown for up to 50 at once.'}
        </Status>
      )}
      {!removals.busy && removals.error !== undefined && (
        <p class="warning" role="alert">
          What would be deleted with them could not be found out: {sentenceOf(removals.error)}
        </p>
      )}
      {removals.value && <RemovalList removal={removals.value} />}
      <p>
        Nothing has been deleted yet.{' '}
        {collection.memberClass?.history
          ? 'Their histories stay, so they can be restored.'
          : 'Deleting cannot be undone.'}
      </p>
      <div class="actions">
        {/* A dialog focuses its first button, which should not be the one that cannot be undone. */}
        <Button label="Cancel" busy={busy && 'Cancel'} onClick={onClose} />
        <Button
          label="Delete"
          busy={removals.busy ? 'Delete' : busy}
          class="danger primary"
          onClick={() => run((batch, member) => batch.remove(member))}
        />
      </div>
    </Dialog>
  )
}
