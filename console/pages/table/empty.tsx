import type { ComponentChildren } from 'preact'
import type { Page } from '../../../src/client/index.ts'
import { memberWord } from '../../shared/connection/index.ts'
import { Button, focusMain } from '../../shared/controls/index.ts'
import { hrefOf, inWords } from '../../shared/names/index.ts'
import { isCondition, partInstead, queryOf, withoutConditions } from './query.ts'
import type { Table } from './use-table.ts'

interface EmptyProps {
  readonly table: Table
  readonly page: Page<object>
  readonly create: ComponentChildren
}

export function Empty({ table, page, create }: EmptyProps) {
  const { name, memberClass } = table.collection
  const words = inWords(name)
  const conditions = table.answered.filter(isCondition)
  const searched = conditions.find(({ role }) => role === 'text')
  const ask = (query: string) => () => {
    table.ask(query)
    // The button is gone once the rows have come.
    focusMain()
  }
  if (conditions.length > 0) {
    const part = searched && partInstead(table.answered, searched, table.variables, memberClass)
    const isSearch = searched && conditions.length === 1
    const text = searched
      ? `No ${memberWord(table.collection)} has ${wordsIn(searched.value)} in its own texts${isSearch ? '.' : ' and matches the other filters.'}`
      : `No ${words} match these filters. Remove one of them, or clear them all.`
    return (
      <Notice title="Nothing matches" text={text}>
        <div class="actions">
          {part && <Button label={part.label} class="primary" onClick={ask(part.query)} />}
          <Button
            label={isSearch ? 'Clear the search' : 'Clear the filters'}
            onClick={ask(withoutConditions(table.answered))}
          />
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

const Notice = ({ title, text, children }: NoticeProps) => (
  <div class="table-empty" role="status">
    <h2>{title}</h2>
    <p>{text}</p>
    {children}
  </div>
)
