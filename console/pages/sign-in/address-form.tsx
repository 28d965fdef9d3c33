import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import {
  type Connection,
  connect,
  describeOrName,
  isMixed,
  MIXED,
  readAddress,
  sentenceOf,
} from '../../shared/connection/index.ts'
import { Button } from '../../shared/controls/index.ts'

export interface ApiSwitch {
  /** The API that the page came with, as its address was given, and as a base; empty where it came with none. */
  readonly home: string
  readonly served: string
  /** The API that is open; without a connection the one that the tab remembers, or else the served one. */
  readonly base: string
  readonly open: (connection: Connection) => void
}

export const ApiSwitchContext = createContext<ApiSwitch>({ home: '', served: '', base: '', open() {} })

/** Which API to look at. It is typed here: no link can bring an API of its own choice into this page. */
export function AddressForm(props: { focused?: boolean; moreButtons?: ComponentChildren }) {
  const { focused = false, moreButtons } = props
  const { base, open } = useContext(ApiSwitchContext)
  const [problem, setProblem] = useState('')
  const [opening, setOpening] = useState<AbortController>()
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  useLayoutEffect(() => {
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

  return (
    <form class="stack wide" onSubmit={submit} noValidate aria-busy={opening !== undefined}>
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
        <Button label="Open" busy={opening !== undefined && 'Connecting …'} type="submit" />
        {opening ? (
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

/** A connection to an API that is there: the API asks who the user is, or says what it is. */
async function openConnection(address: string, signal: AbortSignal): Promise<Connection> {
  const connection = connect(address)
  const { client, question, signOut } = connection
  const asked = Promise.withResolvers<void>()
  const stop = question.watch((now) => now && asked.resolve())
  try {
    await Promise.race([asked.promise, describeOrName(client, { signal })])
    return connection
  } catch (error) {
    // A question that comes late is not asked any more.
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
