import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { isMixed, MIXED, readAddress } from '../../shared/connection/address.ts'
import { type Connection, connect } from '../../shared/connection/connection.ts'
import { describeOrName } from '../../shared/connection/description.ts'
import { Button } from '../../shared/controls/button.tsx'
import { sentenceOf } from '../../shared/controls/error-sentence.ts'

interface AddressFormProps {
  readonly address: string
  /** There is an API at the address that was typed. */
  readonly onOpened: (connection: Connection) => void
  /** The focus goes here when it is shown. */
  readonly focused?: boolean
  /** Beside the button. */
  readonly actions?: ComponentChildren
}

/** Which API to look at. No link can lead to this page with an API of its own choice: it is typed, here. */
export function AddressForm({ address, onOpened, focused = false, actions }: AddressFormProps) {
  const [problem, setProblem] = useState('')
  const [opening, setOpening] = useState<AbortController>()
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  useEffect(() => {
    if (focused) field.current?.select()
  }, [])
  useEffect(() => () => opening?.abort(), [opening])

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (opening) return
    const reading = readAddress(field.current?.value ?? '')
    if ('problem' in reading) return refuse(reading.problem)
    const controller = new AbortController()
    const { signal } = controller
    setProblem('')
    setOpening(controller)
    try {
      const connection = await openConnection(reading.address, signal)
      if (!signal.aborted) onOpened(connection)
    } catch (error) {
      if (signal.aborted) return
      refuse(`${sentenceOf(error)}${isMixed(location.protocol, reading.address) ? ` ${MIXED}` : ''}`)
    }
    setOpening(undefined)
  }
  const refuse = (sentence: string) => {
    setProblem(sentence)
    field.current?.focus()
  }
  const cancel = () => {
    setOpening(undefined)
    field.current?.focus()
  }

  return (
    <form class="address-form" onSubmit={submit} noValidate aria-busy={opening !== undefined}>
      <div class="field">
        <label for={id}>Address of the API</label>
        <input
          ref={field}
          id={id}
          class="input"
          type="url"
          autocomplete="url"
          autocapitalize="none"
          spellcheck={false}
          defaultValue={address}
          readOnly={opening !== undefined}
          aria-invalid={problem !== ''}
          aria-describedby={`${id}problem`}
          onInput={() => setProblem('')}
        />
        <p id={`${id}problem`} class={problem ? 'violation' : 'hint'} role={problem ? 'alert' : undefined}>
          {problem || 'Any Hydra API that lets a page from elsewhere read it.'}
        </p>
      </div>
      <div class="actions">
        <Button type="submit" aria-disabled={opening !== undefined}>
          {opening ? 'Connecting …' : 'Open'}
        </Button>
        {opening ? (
          <Button class="quiet" onClick={cancel}>
            Cancel
          </Button>
        ) : (
          actions
        )}
      </div>
    </form>
  )
}

interface BackToServedProps {
  readonly base: string
  /** Empty where the page came with none. */
  readonly served: string
  readonly onBack: () => void
  readonly quiet?: boolean
}

/** From an API that somebody has chosen to the one that the page came with. */
export function BackToServed({ base, served, onBack, quiet = false }: BackToServedProps) {
  if (served === '' || base === served) return null
  return (
    <button type="button" class={quiet ? 'button quiet' : 'button'} onClick={onBack}>
      Back to {served}
    </button>
  )
}

/**
 * A connection to an API that is there: it asks who one is, or says what it is. Fails with the reason otherwise, or
 * when it is given up.
 */
export async function openConnection(address: string, signal: AbortSignal): Promise<Connection> {
  const connection = connect(address)
  const { client, question, signOut } = connection
  let stop = () => {}
  const asked = new Promise<void>((resolve) => {
    stop = question.watch((now) => now && resolve())
  })
  try {
    await Promise.race([asked, describeOrName(client, { signal })])
    return connection
  } catch (error) {
    // Nobody is asked any more on its behalf.
    signOut()
    throw error
  } finally {
    stop()
  }
}
