import { useState } from 'preact/hooks'
import { Button } from '../../../shared/controls/index.ts'
import { ExportDialog } from '../export/export-dialog.tsx'
import { ChangeSelection } from './change-selection.tsx'
import { DeleteSelection } from './delete-selection.tsx'
import type { RowSelection } from './use-selection.ts'
import { countOf } from './use-writes.tsx'

/** What can be done with the selected rows. Below them, so that the rows do not move. */
export function SelectionBar({ selection }: { selection: RowSelection }) {
  const { collection, members, addresses, elsewhere, offered, clear } = selection
  const [open, setOpen] = useState<'remove' | 'change' | 'export'>()
  const shared = { selection, onClose: () => setOpen(undefined) }
  const isAny = members.length > 0
  return (
    <div class={isAny ? 'table-selection row' : 'visually-hidden'}>
      <p role="status">
        {isAny && `${countOf(members.length, collection)} selected`}
        {elsewhere > 0 && `, ${elsewhere.toLocaleString()} on other pages`}
      </p>
      {isAny && (
        <>
          {offered.change && <Button label="Change …" onClick={() => setOpen('change')} />}
          {offered.remove && <Button label="Delete …" class="danger" onClick={() => setOpen('remove')} />}
          {offered.export && <Button label="Export selected" onClick={() => setOpen('export')} />}
          <Button label="Clear selection" class="quiet" onClick={clear} />
        </>
      )}
      {open === 'change' && <ChangeSelection {...shared} />}
      {open === 'remove' && <DeleteSelection {...shared} />}
      {open === 'export' && (
        <ExportDialog
          collection={collection}
          selected={{ addresses, iris: new Set(members.map(({ iri }) => iri)) }}
          onClose={shared.onClose}
        />
      )}
    </div>
  )
}
