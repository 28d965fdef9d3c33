import type { ComponentChildren } from 'preact'
import type { Page } from '../../src/client/index.ts'
import { inWords } from '../naming.ts'
import { hrefOf } from '../routes.ts'
import { isCondition, type Pair, queryOf, withoutConditions } from './query.ts'

interface EmptyProps {
  readonly name: string
  readonly page: Page<object>
  readonly pairs: readonly Pair[]
  /** The way to a first member, where the API lets one make it. */
  readonly create: ComponentChildren
  readonly onQuery: (query: string) => void
}

/** Why there is nothing to see, and what to do about it. */
export function Empty({ name, page, pairs, create, onQuery }: EmptyProps) {
  const words = inWords(name)
  if (pairs.some(isCondition)) {
    return (
      <Notice
        title="Nothing matches"
        text={`No ${words} match these filters. Remove one of them, or clear them all.`}
      >
        <button
          type="button"
          class="button"
          onClick={() => {
            onQuery(withoutConditions(pairs))
            // The button is gone when the rows are there.
            document.querySelector<HTMLElement>('#main h1')?.focus()
          }}
        >
          Clear the filters
        </button>
      </Notice>
    )
  }
  if (page.previous !== undefined) {
    return (
      <Notice title="Nothing here" text="This page is behind the last one.">
        <a class="button" href={hrefOf({ page: 'table', name, query: queryOf(page.first ?? '') })}>
          To the first page
        </a>
      </Notice>
    )
  }
  return (
    <Notice title={`No ${words} yet`} text="The collection is empty.">
      {create}
    </Notice>
  )
}

interface NoticeProps {
  readonly title: string
  readonly text: string
  readonly children: ComponentChildren
}

function Notice({ title, text, children }: NoticeProps) {
  return (
    <div class="table-empty" role="status">
      <h2>{title}</h2>
      <p>{text}</p>
      {children}
    </div>
  )
}
