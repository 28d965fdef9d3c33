import type { ComponentChildren } from 'preact'
import type { CollectionDescription, Page } from '../../../src/client/index.ts'
import { memberWord } from '../../shared/connection/collections.ts'
import { Button } from '../../shared/controls/button.tsx'
import { focusMain } from '../../shared/controls/focus.ts'
import { inWords } from '../../shared/names/naming.ts'
import { hrefOf } from '../../shared/routes.ts'
import type { Variable } from '../../shared/search-variables.ts'
import { isCondition, type Pair, partInstead, queryOf, withoutConditions } from './query.ts'

interface EmptyProps {
  readonly collection: CollectionDescription
  readonly page: Page<object>
  readonly pairs: readonly Pair[]
  readonly variables: readonly Variable[]
  /** The way to a first member, where the API lets one make it. */
  readonly create: ComponentChildren
  readonly onQuery: (query: string) => void
}

/** Why there is nothing to see, and what to do about it. */
export function Empty({ collection, page, pairs, variables, create, onQuery }: EmptyProps) {
  const { name, memberClass } = collection
  const words = inWords(name)
  const conditions = pairs.filter(isCondition)
  const searched = conditions.find(({ role }) => role === 'text')
  const ask = (query: string) => () => {
    onQuery(query)
    // The button is gone when the rows are there.
    focusMain()
  }
  if (conditions.length > 0) {
    const part = searched && partInstead(pairs, searched, variables, memberClass)
    const isSearch = searched && conditions.length === 1
    return (
      <Notice
        title="Nothing matches"
        text={
          searched
            ? `No ${memberWord(collection)} has ${wordsIn(searched.value)} in its own texts${isSearch ? '.' : ' and matches the other filters.'}`
            : `No ${words} match these filters. Remove one of them, or clear them all.`
        }
      >
        <div class="actions">
          {part && (
            <Button class="primary" onClick={ask(part.query)}>
              {part.label}
            </Button>
          )}
          <Button onClick={ask(withoutConditions(pairs))}>
            {isSearch ? 'Clear the search' : 'Clear the filters'}
          </Button>
        </div>
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

const wordsIn = (text: string): string =>
  /\s/.test(text.trim()) ? `all of the words “${text}”` : `the word “${text}”`

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
