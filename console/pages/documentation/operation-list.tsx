import { useState } from 'preact/hooks'
import type { Operation } from '../../../src/client/index.ts'
import { useApi } from '../../shared/connection/index.ts'
import { useKnownNames } from '../../shared/controls/index.ts'
import { hrefOf, type Route } from '../../shared/names.ts'
import { useStore } from '../../shared/state.ts'
import { asCurl, Command } from '../../shared/wire/index.ts'
import { ClassLink } from './class-link.tsx'
import { type Described, exampleOf } from './examples.ts'
import type { Subject } from './subjects.ts'

const NOTHING = 'http://www.w3.org/2002/07/owl#Nothing'

interface OperationListProps {
  readonly title: string
  readonly operations: Subject['operations']
  /** Where an example leads; undefined where there is no address to show. */
  readonly address?: ((api: Described) => string | undefined) | undefined
  /** Where an operation can be tried, and what is to be done there. */
  readonly tryAt?: ((operation: Operation) => readonly [Route, string] | undefined) | undefined
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
            {address && <Example operation={operation} address={address} tryAt={tryAt} />}
          </li>
        ))}
      </ul>
    </>
  )
}

type ExampleProps = Required<Pick<OperationListProps, 'address' | 'tryAt'>> & {
  readonly operation: Operation
}

function Example({ operation, address, tryAt }: ExampleProps) {
  const [open, setOpen] = useState(false)
  const [route, word] = tryAt?.(operation) ?? []
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

function ExampleCommand({ operation, address }: Omit<ExampleProps, 'tryAt'>) {
  const { documentation, collections, signedIn } = useApi()
  const known = [...useKnownNames().keys()]
  const isProtected = useStore(signedIn) !== undefined
  const api: Described = { documentation, collections, known, isProtected }
  const at = address?.(api)
  // A member links to the API's own operations (library.md); in an example there may be no member yet.
  const own = 'name' in operation ? `/${operation.name}` : ''
  return at === undefined ? null : (
    <Command title="As a command" button="Copy" text={asCurl(exampleOf(operation, at + own, api))} />
  )
}

const Traffic = ({ expects, contentType, returns }: Operation) => (
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
