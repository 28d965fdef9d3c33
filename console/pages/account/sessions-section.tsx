import type { OwnAccount, TokenSession } from 'hydrant-client'
import { Time } from '../../shared/controls/index.ts'
import { counted } from '../../shared/names.ts'
import { textOf } from '../../shared/values.ts'
import { EndSessions } from './end-sessions.tsx'
import { Fact } from './fact.tsx'

interface SessionsSectionProps {
  readonly account: OwnAccount
  /** Undefined if the API does not say. */
  readonly session: TokenSession | undefined
  readonly onSignOut: (notice: string) => Promise<void>
}

export function SessionsSection({ account, session, onSignOut }: SessionsSectionProps) {
  const { tokens = 1, signedInAt } = account.data
  return (
    <section class="card stack wide" aria-labelledby="account-sessions">
      <h2 id="account-sessions">Where you are signed in</h2>
      <dl class="account-facts">
        {session && (
          <>
            <Fact name="Signed in here since">
              <Moment at={session.issuedAt.toISOString()} />
            </Fact>
            <Fact name="This session ends at">
              <Moment at={session.expiresAt.toISOString()} />
            </Fact>
          </>
        )}
        {signedInAt !== undefined && (
          <Fact name="Last sign-in">
            <Moment at={signedInAt} />
          </Fact>
        )}
        <Fact name="Signed in at">
          {counted(tokens, 'places')}
          {tokens === 1 && ' (only here)'}
        </Fact>
      </dl>
      <div>
        <EndSessions
          title="Sign out everywhere?"
          end={() => account.endTokens()}
          onEnded={() => onSignOut('You are signed out everywhere.')}
        >
          All your sessions end, including this one.
        </EndSessions>
      </div>
    </section>
  )
}

const Moment = ({ at }: { at: string }) => <Time value={at} text={textOf(at, 'dateTime')} />
