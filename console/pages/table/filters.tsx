import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { sentenceOf, useApi } from '../../shared/connection/index.ts'
import { Button, useMemberName } from '../../shared/controls/index.ts'
import { inWords } from '../../shared/names.ts'
import { FilterForm } from './filter-form.tsx'
import { alternatives, filterText, findChoice, mayTellName } from './filter-topics.ts'
import {
  type Filter,
  isFilter,
  type Pair,
  refusedBy,
  withFilter,
  withoutFilters,
  withoutPair,
  withValue,
} from './query.ts'
import type { Table } from './use-table.ts'

interface OpenForm {
  readonly number: number
  readonly filter: Filter | undefined
  /** The query that was asked with it: when that is answered, the form closes. */
  readonly asked: string | undefined
}

export function Filters({ table, children }: { table: Table; children: ComponentChildren }) {
  const { topics, pairs, rows, refusal, ask } = table
  const title = inWords(table.collection.name)
  const answered = rows.busy ? undefined : rows.value?.query
  const [form, setForm] = useState<OpenForm>()
  const add = useRef<HTMLButtonElement>(null)
  const reason = refusal && sentenceOf(refusal)
  const refused = refusal && refusedBy(refusal.parameter, pairs)

  const open = (filter: Filter | undefined): void =>
    setForm({ number: (form?.number ?? 0) + 1, filter, asked: undefined })
  const close = (): void => {
    setForm(undefined)
    add.current?.focus()
  }
  const isRefusedHere = reason !== undefined && form?.asked !== undefined && !rows.busy
  const cancel = (): void => {
    close()
    // A filter that was refused goes with its form.
    if (isRefusedHere && rows.value) ask(rows.value.query)
  }
  // The button that was pressed is gone afterwards.
  const onRemove = (query: string): void => {
    ask(query)
    add.current?.focus()
  }
  useEffect(() => {
    if (form?.asked !== undefined && form.asked === answered) close()
  }, [form, answered])

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
          onApply={(filter, repeatable) => {
            const asked = withFilter(pairs, filter, { instead: form.filter, repeatable })
            // A correction changes this filter.
            setForm({ ...form, filter, asked })
            ask(asked)
          }}
          onCancel={cancel}
        />
      )}
      <Chips table={table} refused={refused} onEdit={open} onRemove={onRemove} />
      {reason !== undefined && form?.asked === undefined && (
        <div class="failure table-refusal row" role="alert">
          <p>{reason}</p>
          <div class="actions">
            {!form && refused && findChoice(topics, refused) && (
              <Button onClick={() => open(refused)}>Change this filter</Button>
            )}
            {refused && pairs.filter(isFilter).length > 1 && (
              <Button onClick={() => onRemove(withoutPair(pairs, refused))}>Remove this filter</Button>
            )}
            <Button onClick={() => onRemove(withoutFilters(pairs))}>Show all {title}</Button>
          </div>
        </div>
      )}
    </div>
  )
}

/** Free text. It is sent by Enter or the button, not at every letter. */
function SearchField({ table: { collection, variables, pairs, isHydrant, ask } }: { table: Table }) {
  const id = useId()
  const title = inWords(collection.name)
  const variable = variables.find(({ role }) => role === 'text')
  const asked = pairs.find(({ name }) => name === variable?.name)?.value ?? ''
  const [text, setText] = useState(asked)
  useEffect(() => setText(asked), [asked])
  if (!variable) return null
  return (
    <search>
      <form
        class="table-search"
        onSubmit={(event) => {
          event.preventDefault()
          ask(withValue(pairs, variable.name, text.trim() || undefined))
        }}
      >
        <label class="visually-hidden" for={id}>
          Search {title}
        </label>
        <input
          id={id}
          class="input"
          type="search"
          placeholder={isHydrant ? `Whole words in ${title}` : `Search ${title}`}
          title={isHydrant ? `Finds whole words in the texts of the ${title} themselves` : undefined}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button type="submit">Search</Button>
      </form>
    </search>
  )
}

interface ChipsProps {
  readonly table: Table
  readonly refused: Pair | undefined
  readonly onEdit: (pair: Pair) => void
  readonly onRemove: (query: string) => void
}

function Chips(props: ChipsProps) {
  const { table, onRemove } = props
  const filters = table.pairs.filter(isFilter)
  if (filters.length === 0) return null
  return (
    <ul class="table-chips row" aria-label="Filters in force">
      {alternatives(filters).map((one) => (
        <Chip key={one.pair.raw} {...one} {...props} />
      ))}
      {filters.length > 1 && (
        <li>
          <Button class="quiet table-clear" onClick={() => onRemove(withoutFilters(table.pairs))}>
            Clear all
          </Button>
        </li>
      )}
    </ul>
  )
}

type ChipProps = ChipsProps & ReturnType<typeof alternatives>[number]

function Chip({ pair, isAlternative, table: { pairs, topics }, refused, onEdit, onRemove }: ChipProps) {
  const found = findChoice(topics, pair)
  const linked = found?.topic.kind === 'link' && found.choice.fixed === undefined ? pair.value : undefined
  const { classes } = useApi().documentation
  const name = useMemberName(linked ?? '', undefined, mayTellName(found?.topic.property?.range, classes))
  const text = filterText(pair, topics, { isAlternative, ...(linked && { linked: name }) })
  // The first of the alternatives stands beside it.
  const shown = isAlternative ? text.slice(text.indexOf('… or') + 2) : text
  return (
    <li class={`table-chip ${isAlternative ? 'or' : ''} ${pair === refused ? 'refused' : ''}`}>
      {found ? (
        <button
          type="button"
          class="table-chip-text"
          aria-label={`Change the filter: ${text}`}
          onClick={() => onEdit(pair)}
        >
          {shown}
        </button>
      ) : (
        <span class="table-chip-text">{shown}</span>
      )}
      <button
        type="button"
        class="table-chip-take"
        aria-label={`Remove the filter: ${text}`}
        onClick={() => onRemove(withoutPair(pairs, pair))}
      >
        <svg viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
          <path d="m3 3 10 10M13 3 3 13" />
        </svg>
      </button>
    </li>
  )
}
