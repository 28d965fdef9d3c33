import type { OperationDescription } from 'hydrant-client'
import { useState } from 'preact/hooks'
import { useApi } from '../../shared/connection/index.ts'
import { useKnownNames } from '../../shared/controls/index.ts'
import { hrefOf, type Route } from '../../shared/names.ts'
import { useObservable } from '../../shared/state.ts'
import { asCurl, Command } from '../../shared/wire/index.ts'
import { ClassLink } from './class-link.tsx'
import { exampleOf } from './examples.ts'
import type { Subject } from './subjects.ts'

const NOTHING = 'http://www.w3.org/2002/07/owl#Nothing'

/** Where an operation can be tried, and what to do there. */
export type Trial = readonly [Route, string]

interface OperationListProps {
  readonly title: string
  readonly operations: Subject['operations']
  /** The address for examples; undefined if there is none. */
  readonly address: string | undefined
  readonly tryAt: (operation: OperationDescription) => Trial | undefined
}

export function OperationList({ title, operations, address, tryAt }: OperationListProps) {
  if (operations.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul class="doc-operations">
        {operations.map((operation) => (
          <li key={`${operation.method} ${operation.title}`}>
            <span class={`doc-method mono ${operation.method === 'DELETE' ? 'danger' : ''}`}>
              {operation.method}
            </span>
            <span class="doc-operation">
              {operation.title}
              {operation.description && <span class="hint"> {operation.description}</span>}
            </span>
            <span class="doc-traffic">
              <Traffic {...operation} />
            </span>
            {address && <Example operation={operation} address={address} trial={tryAt(operation)} />}
          </li>
        ))}
      </ul>
    </>
  )
}

interface ExampleProps {
  readonly operation: OperationDescription
  readonly address: string
  readonly trial: Trial | undefined
}

function Example({ operation, address, trial }: ExampleProps) {
  const [open, setOpen] = useState(false)
  const [route, word] = trial ?? []
  return (
    <div class="doc-example">
      {route && (
        <a class="doc-try" href={hrefOf(route)}>
          Try it: {word}
        </a>
      )}
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          Example<span class="visually-hidden"> of {operation.title}</span>
        </summary>
        {open && <ExampleCommand operation={operation} address={address} />}
      </details>
    </div>
  )
}

function ExampleCommand({ operation, address }: Omit<ExampleProps, 'trial'>) {
  const { documentation, collections, signedIn } = useApi()
  const known = [...useKnownNames().keys()]
  const isProtected = useObservable(signedIn) !== undefined
  // A member links to the API's own operations (library.md), but there may be no member yet.
  const at = 'name' in operation ? `${address}/${operation.name}` : address
  const example = exampleOf(operation, at, { documentation, collections, known, isProtected })
  return <Command title="As a command" button="Copy" text={asCurl(example)} />
}

const Traffic = ({ expects, contentType, returns }: OperationDescription) => (
  <>
    {expects && expects !== NOTHING && (
      <span>
        takes <ClassLink iri={expects} />
        {contentType && ' as '}
        {contentType && <code>{contentType}</code>}
      </span>
    )}
    {returns && <span>returns {returns === NOTHING ? 'nothing' : <ClassLink iri={returns} />}</span>}
  </>
)
