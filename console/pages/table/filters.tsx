import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { membersWord, sentenceOf, withBeginning, withoutBeginning } from '../../shared/connection/index.ts'
import { Button } from '../../shared/controls/index.ts'
import { Chips } from './filter-chips.tsx'
import { FilterForm } from './filter-form.tsx'
import { findChoice } from './filter-topics.ts'
import {
  isFilter,
  type Pair,
  type QueryFilter,
  refusedBy,
  withFilter,
  withoutFilters,
  withoutPair,
  withValue,
} from './query.ts'
import type { TableState } from './use-table.ts'

interface OpenForm {
  readonly number: number
  readonly filter: QueryFilter | undefined
  /** The query that the filter was sent in. When it is answered, the form closes. */
  readonly asked: string | undefined
}

interface FiltersProps {
  readonly table: TableState
  /** Whether the order has a chip, like a filter. */
  readonly showsOrder: boolean
  readonly children: ComponentChildren
}

export function Filters({ table, showsOrder, children }: FiltersProps) {
  const { topics, pairs, refusal, ask } = table
  const add = useRef<HTMLButtonElement>(null)
  const { form, open, apply, cancel, isRefusedHere } = useFilterForm(table, () => add.current?.focus())
  const reason = refusal && sentenceOf(refusal)
  const refused = refusal && refusedBy(refusal.parameter, pairs)
  const onRemove = (query: string): void => {
    ask(query)
    // The button that was pressed is gone afterwards.
    add.current?.focus()
  }
  return (
    <div class="stack">
      <div class="table-tools row">
        <SearchField table={table} />
        {topics.length > 0 && (
          <Button
            ref={add}
            label="Add filter"
            aria-expanded={form !== undefined}
            onClick={() => (form ? cancel() : open(undefined))}
          />
        )}
        {children}
      </div>
      {form && (
        <FilterForm
          key={form.number}
          topics={topics}
          filter={form.filter}
          reason={isRefusedHere ? reason : undefined}
          onApply={apply}
          onCancel={cancel}
        />
      )}
      <Chips table={table} refused={refused} showsOrder={showsOrder} onEdit={open} onRemove={onRemove} />
      {reason !== undefined && form?.asked === undefined && (
        <RefusalNotice
          reason={reason}
          refused={refused}
          table={table}
          onEdit={form ? undefined : open}
          onRemove={onRemove}
        />
      )}
    </div>
  )
}

/** The form for a filter. It stays open while its filter is refused. */
function useFilterForm({ pairs, rows, refusal, ask }: TableState, onClosed: () => void) {
  const [form, setForm] = useState<OpenForm>()
  const answered = rows.busy ? undefined : rows.value?.query
  const isRefusedHere = refusal !== undefined && form?.asked !== undefined && !rows.busy
  const close = (): void => {
    setForm(undefined)
    onClosed()
  }
  useEffect(() => {
    if (form?.asked !== undefined && form.asked === answered) close()
  }, [form, answered])
  return {
    form,
    isRefusedHere,
    open: (filter: QueryFilter | undefined): void =>
      setForm({ number: (form?.number ?? 0) + 1, filter, asked: undefined }),
    apply(filter: QueryFilter, repeatable: boolean): void {
      const asked = withFilter(pairs, filter, { instead: form?.filter, repeatable })
      // If it is refused, the next attempt replaces this filter.
      setForm({ number: form?.number ?? 0, filter, asked })
      ask(asked)
    },
    cancel(): void {
      close()
      // A filter that was refused is dropped.
      if (isRefusedHere && rows.value) ask(rows.value.query)
    },
  }
}

interface RefusalNoticeProps {
  readonly reason: string
  readonly refused: Pair | undefined
  readonly table: TableState
  readonly onEdit: ((filter: QueryFilter) => void) | undefined
  readonly onRemove: (query: string) => void
}

function RefusalNotice({ reason, refused, table, onEdit, onRemove }: RefusalNoticeProps) {
  const { topics, pairs, collection } = table
  return (
    <div class="failure table-refusal row" role="alert">
      <p>{reason}</p>
      <div class="actions">
        {onEdit && refused && findChoice(topics, refused) && (
          <Button onClick={() => onEdit(refused)}>Change this filter</Button>
        )}
        {refused && pairs.filter(isFilter).length > 1 && (
          <Button onClick={() => onRemove(withoutPair(pairs, refused))}>Remove this filter</Button>
        )}
        <Button onClick={() => onRemove(withoutFilters(pairs))}>Show all {membersWord(collection)}</Button>
      </div>
    </div>
  )
}

/** Searches when Enter or the button is pressed, not at every letter. */
function SearchField({ table: { collection, variables, pairs, isHydrant, ask } }: { table: TableState }) {
  const id = useId()
  const title = membersWord(collection)
  const variable = variables.find(({ role }) => role === 'text')
  const asked = withoutBeginning(pairs.find(({ name }) => name === variable?.name)?.value ?? '')
  const [text, setText] = useState(asked)
  useEffect(() => setText(asked), [asked])
  if (!variable) return null
  return (
    <search>
      <form
        class="table-search"
        onSubmit={(event) => {
          event.preventDefault()
          const typed = isHydrant ? withBeginning(text.trim()) : text.trim()
          ask(withValue(pairs, variable.name, typed || undefined))
        }}
      >
        <label class="visually-hidden" for={id}>
          Search {title}
        </label>
        <input
          id={id}
          class="input"
          type="search"
          placeholder={`Search ${title}`}
          title={
            isHydrant
              ? `Finds words in the texts of ${title}; of the last one, the beginning is enough`
              : undefined
          }
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button type="submit">Search</Button>
      </form>
    </search>
  )
}
