import type { Member, OperationDescription } from 'hydrant-client'
import { accountAddress, offers, useApi } from '../../shared/connection/index.ts'
import { announce, Button } from '../../shared/controls/index.ts'
import { hrefOf } from '../../shared/names.ts'
import { useObservable } from '../../shared/state.ts'
import { EndSessions } from './end-sessions.tsx'

interface AccountActionsProps {
  readonly member: Member
  readonly name: string
  readonly operations: readonly OperationDescription[]
  readonly onReload: () => void
}

/** What the page of an account offers beside what all members do. */
export function AccountActions({ member, name, operations, onReload }: AccountActionsProps) {
  const { client, base, signedIn } = useApi()
  const { user = '' } = useObservable(signedIn) ?? {}
  if (member.iri === accountAddress(base, user))
    return <Button label="Your account" href={hrefOf({ page: 'account' })} />
  // Who may remove accounts may end their tokens (people.md, Accounts).
  if (!offers(operations, 'DELETE')) return null
  const ended = () => {
    announce(`${name} is signed out everywhere.`)
    onReload()
  }
  return (
    <EndSessions
      title={`Sign out ${name} everywhere?`}
      end={async () => (await client.accounts()).endTokens(member.data.userId)}
      onEnded={ended}
    >
      All sessions of this user end. The user can sign in again.
    </EndSessions>
  )
}
