import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import {
  type ApiConnection,
  connect,
  describeOrName,
  isMixed,
  MIXED,
  readAddress,
  sentenceOf,
} from '../../shared/connection/index.ts'
import { Button } from '../../shared/controls/index.ts'

export interface ApiSwitch {
  /** The API that the page was served with: its address as given, and as a base. Empty if there is none. */
  readonly home: string
  readonly served: string
  /** The API that is open; without a connection, the one that the tab remembers, or else the served one. */
  readonly base: string
  readonly open: (connection: ApiConnection) => void
}

export const ApiSwitchContext = createContext<ApiSwitch>({ home: '', served: '', base: '', open() {} })

/** Chooses an API. The user types its address, so that no link can open an API in this page. */
export function AddressForm(props: { focused?: boolean; moreButtons?: ComponentChildren }) {
  const { focused = false, moreButtons } = props
  const { base } = useContext(ApiSwitchContext)
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  const { problem, setProblem, isOpening, submit, cancel } = useOpening(field)
  useLayoutEffect(() => {
    if (focused) field.current?.select()
  }, [])
  return (
    <form class="stack wide" onSubmit={submit} noValidate aria-busy={isOpening}>
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
          defaultValue={base}
          readOnly={isOpening}
          aria-invalid={problem !== ''}
          aria-describedby={`${id}problem`}
          onInput={() => setProblem('')}
        />
        <p id={`${id}problem`} class={problem ? 'violation' : 'hint'} role={problem ? 'alert' : undefined}>
          {problem || 'Any Hydra API that allows requests from this page.'}
        </p>
      </div>
      <div class="actions">
        <Button label="Open" busy={isOpening && 'Connecting …'} type="submit" />
        {isOpening ? (
          <Button label="Cancel" class="quiet" onClick={cancel} />
        ) : (
          <>
            <BackToServed />
            {moreButtons}
          </>
        )}
      </div>
    </form>
  )
}

/** Connects to the address in the field, and switches to the API once it has answered. */
function useOpening(field: { readonly current: HTMLInputElement | null }) {
  const { open } = useContext(ApiSwitchContext)
  const [problem, setProblem] = useState('')
  const [opening, setOpening] = useState<AbortController>()
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
      if (!signal.aborted) open(connection)
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
  return { problem, setProblem, isOpening: opening !== undefined, submit, cancel }
}

/** Resolves when the API has answered: with a request to sign in, or with its description. */
async function openConnection(address: string, signal: AbortSignal): Promise<ApiConnection> {
  const connection = connect(address)
  const { client, signInRequest, signOut } = connection
  const asked = Promise.withResolvers<void>()
  const stop = signInRequest.watch((request) => request && asked.resolve())
  try {
    await Promise.race([asked.promise, describeOrName(client, { signal })])
    return connection
  } catch (error) {
    // So that nobody is asked to sign in afterwards.
    signOut()
    throw error
  } finally {
    stop()
  }
}

export function BackToServed({ class: look = '' }: { class?: string }) {
  const { home, served, base, open } = useContext(ApiSwitchContext)
  if (served === '' || base === served) return null
  return <Button label={`Back to ${served}`} class={look} onClick={() => open(connect(home))} />
}
