import { useApi } from '../shared/connection/index.ts'
import {
  announcementAt,
  Button,
  duration,
  LAST_MINUTES_MS,
  remaining,
  useNow,
} from '../shared/controls/index.ts'
import { useStore } from '../shared/state/index.ts'

interface SessionClockProps {
  readonly leaving: boolean
  readonly onLeave: () => void
  readonly onFailure: (error: unknown) => void
}

/** Who is signed in, for how much longer, and the way out. */
export function SessionClock({ leaving, onLeave, onFailure }: SessionClockProps) {
  const { signedIn, question, signInAgain } = useApi()
  const session = useStore(signedIn)
  const asked = useStore(question)
  const endsAt = session?.endsAt
  const now = useNow(endsAt !== undefined)
  if (!session) return null
  const left = endsAt === undefined ? undefined : endsAt - now

  return (
    <div class="session">
      <p class="session-who">
        <span class="session-user">User {session.user}</span>
        {left !== undefined && <TimeLeft left={left} />}
      </p>
      {left !== undefined && left <= LAST_MINUTES_MS && !asked && (
        <Button label="Sign in again" class="session-again" onClick={() => signInAgain().catch(onFailure)} />
      )}
      <Button label="Sign out" class="quiet" disabled={leaving} onClick={onLeave} />
      <p class="visually-hidden" role="status">
        {left === undefined ? '' : announcementAt(left)}
      </p>
    </div>
  )
}

function TimeLeft({ left }: { readonly left: number }) {
  if (left <= 0) return <span class="session-time ended">Token ended</span>
  const end = new Date(Date.now() + left).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
  return (
    <time
      class={left <= LAST_MINUTES_MS ? 'session-time ending' : 'session-time'}
      dateTime={duration(left)}
      title={`The token ends at ${end}`}
    >
      {remaining(left)}
      <span class="session-left"> left</span>
    </time>
  )
}
