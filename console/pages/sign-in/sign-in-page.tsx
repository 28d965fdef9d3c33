import type { Credentials } from '../../../src/client/index.ts'
import type { Connection, Question } from '../../shared/connection/connection.ts'
import { Destination } from './destination.tsx'
import { OtherApi } from './other-api.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { StartPage } from './start-page.tsx'

interface SignInPageProps {
  readonly question: Pick<Question, 'error' | 'id' | 'busy' | 'askedAt'>
  readonly base: string
  /** The API that the page came with: another one is named with a warning. */
  readonly served: string
  /** What happened before: a sign-out. */
  readonly notice: string
  readonly onCredentials: (credentials: Credentials) => void
  readonly onOpened: (connection: Connection) => void
  /** To the API that the page came with. */
  readonly onBack: () => void
}

/** Before anything is shown: who are you? */
export function SignInPage(props: SignInPageProps) {
  const { question, base, served, notice, onCredentials, onOpened, onBack } = props
  const { id, error, busy, askedAt } = question
  return (
    <StartPage title="Sign in" notice={notice}>
      <Destination base={base} served={served} />
      <SignInForm
        id={id}
        error={error}
        askedAt={askedAt}
        busy={busy}
        isForeign={base !== served}
        onSubmit={onCredentials}
        about="The secret of your user, elsewhere called a passphrase."
      />
      <OtherApi base={base} served={served} onOpened={onOpened} onBack={onBack} />
    </StartPage>
  )
}
