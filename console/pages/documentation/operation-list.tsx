import type { Operation } from '../../../src/client/index.ts'
import { type Anchors, ClassName } from './class-name.tsx'

interface OperationListProps {
  readonly title: string
  readonly operations: readonly Operation[]
  readonly anchors: Anchors
}

const NOTHING = 'http://www.w3.org/2002/07/owl#Nothing'

/** What can be done: method, what it does, what it takes and gives. */
export function OperationList({ title, operations, anchors }: OperationListProps) {
  if (operations.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul class="doc-operations">
        {operations.map((operation) => (
          <li key={`${operation.method} ${operation.title}`}>
            <span class={`doc-method ${operation.method === 'DELETE' ? 'danger' : ''}`}>
              {operation.method}
            </span>
            <span class="doc-operation">
              {operation.title}
              {operation.description && <span class="hint"> {operation.description}</span>}
            </span>
            <span class="doc-traffic">
              <Expected operation={operation} anchors={anchors} />
              <Returned operation={operation} anchors={anchors} />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

interface TrafficProps {
  readonly operation: Operation
  readonly anchors: Anchors
}

function Expected({ operation: { expects, contentType }, anchors }: TrafficProps) {
  if (!expects || expects === NOTHING) return null
  return (
    <span>
      takes <ClassName iri={expects} anchors={anchors} />
      {contentType && (
        <>
          {' '}
          as <code>{contentType}</code>
        </>
      )}
    </span>
  )
}

function Returned({ operation: { returns }, anchors }: TrafficProps) {
  if (!returns) return null
  return (
    <span>
      {returns === NOTHING ? (
        'returns nothing'
      ) : (
        <>
          returns <ClassName iri={returns} anchors={anchors} />
        </>
      )}
    </span>
  )
}
