import type { OwnAccount } from 'hydrant-client'
import { useMemo, useState } from 'preact/hooks'
import { canChange, classOf, useApi } from '../../shared/connection/index.ts'
import { announce, Button, Failure, Page, Status } from '../../shared/controls/index.ts'
import { rememberNames, useLoading } from '../../shared/state.ts'
import { FormDialog } from '../form/index.ts'
import { Fact } from './fact.tsx'
import { ParaphraseSection } from './paraphrase-section.tsx'
import { SessionsSection } from './sessions-section.tsx'

interface AccountPageProps {
  readonly onSignOut: (notice: string) => Promise<void>
}

/** The account of the user who is signed in. */
export function AccountPage({ onSignOut }: AccountPageProps) {
  const { client } = useApi()
  const { value, error, busy, reload } = useLoading(async (signal) => {
    const account = await client.account({ signal })
    const [operations, session] = await Promise.all([
      account.operations({ signal }),
      client.session({ signal }),
    ])
    return { account, operations, session }
  }, [])
  if (!value)
    return (
      <Page title={TITLE}>
        {busy ? <Status>Loading …</Status> : <Failure error={error} onRetry={reload} />}
      </Page>
    )
  const { account, operations, session } = value
  return (
    <Page title={TITLE}>
      <div class="account">
        <NameSection account={account} mayChange={canChange(operations)} onChanged={reload} />
        <ParaphraseSection account={account} onChanged={reload} />
        <SessionsSection account={account} session={session} onSignOut={onSignOut} />
      </div>
    </Page>
  )
}

const TITLE = 'Your account'

interface NameSectionProps {
  readonly account: OwnAccount
  readonly mayChange: boolean
  readonly onChanged: () => void
}

function NameSection({ account, mayChange, onChanged }: NameSectionProps) {
  const api = useApi()
  const [isChanging, setChanging] = useState(false)
  const { userId, name, roles = [] } = account.data
  const property = classOf(api, account)?.properties.find((one) => one.name === 'name' && one.writable)
  const saved = ({ data }: Pick<OwnAccount, 'data'>) => {
    setChanging(false)
    // The bar shows the name, too. Without a name, it is the number.
    rememberNames(api.memory, [[account.iri, data.name ?? String(userId)]])
    announce('Your name was changed.')
    onChanged()
  }
  return (
    <section class="card stack wide" aria-labelledby="account-name">
      <h2 id="account-name">Name</h2>
      <dl class="account-facts">
        <Fact name="Name">{name ?? <span class="soft">None</span>}</Fact>
        <Fact name="Number">{userId}</Fact>
        <Fact name="Roles">{roles.length > 0 ? roles.join(', ') : <span class="soft">None</span>}</Fact>
      </dl>
      <p class="hint">You can sign in with your name or your number.</p>
      {mayChange && property && (
        <p>
          <Button label="Change name" onClick={() => setChanging(true)} />
        </p>
      )}
      {isChanging && property && (
        <NameDialog account={account} onSaved={saved} onCancel={() => setChanging(false)} />
      )}
    </section>
  )
}

interface NameDialogProps {
  readonly account: OwnAccount
  readonly onSaved: (saved: Pick<OwnAccount, 'data'>) => void
  readonly onCancel: () => void
}

function NameDialog({ account, onSaved, onCancel }: NameDialogProps) {
  const cls = classOf(useApi(), account)
  const nameOnly = useMemo(
    () => cls && { ...cls, properties: cls.properties.filter(({ name }) => name === 'name') },
    [cls],
  )
  return (
    <FormDialog
      title="Change name"
      cls={nameOnly}
      name={account.data.name ?? ''}
      save={({ name }) => account.update({ name: typeof name === 'string' ? name : null })}
      onSaved={onSaved}
      onCancel={onCancel}
    />
  )
}
