import type { OwnAccount } from 'hydrant-client'
import { ApiError } from 'hydrant-client'
import type { RefObject } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { sentenceOf } from '../../shared/connection/index.ts'
import { announce, Button, SecretInput, useMounted } from '../../shared/controls/index.ts'
import { capitalised } from '../../shared/names.ts'

interface ParaphraseSectionProps {
  readonly account: OwnAccount
  readonly onChanged: () => void
}

/** What is wrong, by field; `other`: with none of the two. */
interface ParaphraseProblems {
  readonly current?: string | undefined
  readonly next?: string | undefined
  readonly other?: string | undefined
}

export function ParaphraseSection({ account, onChanged }: ParaphraseSectionProps) {
  const { current, next, problems, busy, submit } = useParaphraseChange(account, onChanged)
  const [shown, setShown] = useState(false)
  const shared = { shown, onShown: setShown, busy }
  return (
    <section class="card stack wide" aria-labelledby="account-paraphrase">
      <h2 id="account-paraphrase">Passphrase</h2>
      <form
        class="stack wide"
        aria-labelledby="account-paraphrase"
        aria-busy={busy}
        onSubmit={(event) => {
          event.preventDefault()
          setShown(false)
          submit()
        }}
      >
        <div role="alert">{problems.other && <p class="failure">{problems.other}</p>}</div>
        <SecretField
          {...shared}
          label="Current passphrase"
          kind="current"
          field={current}
          problem={problems.current}
        />
        <SecretField {...shared} label="New passphrase" kind="new" field={next} problem={problems.next} />
        <p class="hint">You stay signed in here, and are signed out everywhere else.</p>
        <p>
          <Button type="submit" label="Change passphrase" busy={busy && 'Changing …'} />
        </p>
      </form>
    </section>
  )
}

function useParaphraseChange(account: OwnAccount, onChanged: () => void) {
  const current = useRef<HTMLInputElement>(null)
  const next = useRef<HTMLInputElement>(null)
  const [problems, setProblems] = useState<ParaphraseProblems>({})
  const [busy, setBusy] = useState(false)
  const isMounted = useMounted()

  async function submit(): Promise<void> {
    const [from, to] = [current.current, next.current]
    if (!from || !to || busy) return
    setBusy(true)
    setProblems({})
    try {
      await account.changeParaphrase(from.value, to.value)
      from.value = ''
      to.value = ''
      announce('Your passphrase was changed, and you are signed out everywhere else.')
      if (isMounted()) onChanged()
    } catch (error) {
      if (!isMounted()) return
      const found = problemsOf(error)
      setProblems(found)
      if (found.current) from.value = ''
      ;(found.next && !found.current ? to : from).focus()
    } finally {
      if (isMounted()) setBusy(false)
    }
  }
  return { current, next, problems, busy, submit }
}

/** The code of Hydrant if the current one is wrong (errors.md). */
const WRONG = 'WrongParaphrase'

function problemsOf(error: unknown): ParaphraseProblems {
  const violations = error instanceof ApiError ? error.violations : []
  if (violations.length === 0) return { other: sentenceOf(error) }
  const about = (path: string, label: string) => {
    const found = violations.find(({ propertyPath }) => propertyPath === path)
    // The server's own sentence has the word of the protocol.
    const message = found?.code === WRONG ? 'is not the passphrase of this account.' : found?.message
    return message && `${capitalised(label)} ${message}`
  }
  return { current: about('current', 'this'), next: about('new', 'the new passphrase') }
}

interface SecretFieldProps {
  readonly label: string
  readonly kind: 'current' | 'new'
  readonly field: RefObject<HTMLInputElement | null>
  readonly problem: string | undefined
  readonly shown: boolean
  readonly onShown: (shown: boolean) => void
  readonly busy: boolean
}

function SecretField({ label, kind, field, problem, shown, onShown, busy }: SecretFieldProps) {
  const id = `account-${kind}`
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <SecretInput
        id={id}
        field={field}
        shown={shown}
        onShown={onShown}
        autocomplete={kind === 'current' ? 'current-password' : 'new-password'}
        readOnly={busy}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem`}
      />
      <p class="violation" id={`${id}-problem`} role="alert">
        {problem}
      </p>
    </div>
  )
}
