import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { focusPlace } from './controls/focus.ts'
import type { Problems } from './drafts/corrections.ts'

interface ErrorSummaryProps {
  /** No other form of the page has it. */
  readonly id: string
  readonly problems: Problems
  readonly children?: ComponentChildren
}

/** Everything that is wrong at once, with the way to each field. Each attempt that failed gives it the focus. */
export function ErrorSummary({ id, problems, children }: ErrorSummaryProps) {
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    box.current?.focus()
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [problems.attempt])
  return (
    <section class="failure form-summary" ref={box} tabIndex={-1} aria-labelledby={id}>
      <h2 id={id}>{problems.title}</h2>
      <ul>
        {problems.list.map(({ place, sentence }) => (
          <li key={`${place} ${sentence}`}>
            {place === undefined ? sentence : <FieldLink place={place}>{sentence}</FieldLink>}
          </li>
        ))}
      </ul>
      {children}
    </section>
  )
}

/** What stands after `#` in the address is the page's name: the way to a field is the focus. */
function FieldLink({ place, children }: { readonly place: string; readonly children: string }) {
  return (
    <a
      href={location.hash}
      onClick={(event) => {
        event.preventDefault()
        focusPlace(place)
      }}
    >
      {children}
    </a>
  )
}
