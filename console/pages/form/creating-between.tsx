import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Member } from '../../../src/client/index.ts'
import { nameOf } from '../../shared/names/naming.ts'
import { NewMemberDialog } from './new-member-dialog.tsx'
import { CreatingContext, type Wanted } from './picker/creating.ts'

/** Whatever links to something that is not there yet can have it made without leaving the form. */
export function CreatingBetween({ children }: { readonly children: ComponentChildren }) {
  const [wanted, setWanted] = useState<Wanted>()
  const [said, setSaid] = useState('')
  const end = (member: Member | undefined) => {
    setWanted(undefined)
    setSaid(member ? `${nameOf(member, wanted?.collection.memberClass)} was created, and is chosen.` : '')
    // After the dialog has given the focus back.
    requestAnimationFrame(() => wanted?.done(member))
  }
  return (
    <CreatingContext.Provider value={setWanted}>
      {children}
      <p class="visually-hidden" role="status">
        {said}
      </p>
      {/* Not within the other form: HTML knows no form within a form. */}
      {wanted?.collection.memberClass && (
        <NewMemberDialog wanted={wanted} cls={wanted.collection.memberClass} onEnd={end} />
      )}
    </CreatingContext.Provider>
  )
}
