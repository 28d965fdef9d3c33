import type { ComponentChildren } from 'preact'
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { Button } from '../../shared/controls/button.tsx'
import { sentenceOf } from '../../shared/controls/error-sentence.ts'
import type { Variable } from '../../shared/search-variables.ts'
import { Chips } from './chips.tsx'
import { FilterForm } from './filter-form.tsx'
import { findChoice, topicsOf } from './filter-topics.ts'
import {
  type Condition,
  isCondition,
  type Pair,
  refusedBy,
  withCondition,
  withoutConditions,
  withoutPair,
  withValue,
} from './query.ts'

interface FiltersProps {
  /** Of the collection, in words. */
  readonly title: string
  readonly pairs: readonly Pair[]
  readonly variables: readonly Variable[]
  /** The query whose rows are shown; undefined while they are not there. */
  readonly answered: string | undefined
  /** Why the API does not answer the query. */
  readonly refusal: Error | undefined
  /** Whether free text finds these alone. */
  readonly wholeWords: boolean
  readonly onQuery: (query: string) => void
  /** Other tools. */
  readonly children: ComponentChildren
}

interface OpenForm {
  /** Another form for another filter. */
  readonly turn: number
  readonly condition: Condition | undefined
  /** What it has asked: when that is answered, the form is done. */
  readonly asked: string | undefined
}

/** Everything that asks for less than the whole collection. */
export function Filters(props: FiltersProps) {
  const { title, pairs, variables, answered, refusal, wholeWords, onQuery, children } = props
  const topics = useMemo(() => topicsOf(variables), [variables])
  const text = variables.find(({ role }) => role === 'text')
  const [form, setForm] = useState<OpenForm>()
  const turn = useRef(0)
  // Whoever has chosen a member by its name need not ask for it.
  const shownAs = useRef(new Map<string, string>())
  const add = useRef<HTMLButtonElement>(null)
  const reasonId = useId()
  const reason = refusal && sentenceOf(refusal)
  const refused = reason === undefined ? undefined : refusedBy(reason, pairs)

  const open = (condition: Condition | undefined): void => {
    turn.current += 1
    setForm({ turn: turn.current, condition, asked: undefined })
  }
  const close = (): void => {
    setForm(undefined)
    add.current?.focus()
  }
  // What was pressed is gone then.
  const onTake = (query: string): void => {
    onQuery(query)
    add.current?.focus()
  }
  useEffect(() => {
    if (form?.asked !== undefined && form.asked === answered) close()
  }, [form, answered])

  return (
    <div class="table-filters">
      <div class="table-tools">
        {text && (
          <SearchField
            variable={text}
            pairs={pairs}
            title={title}
            wholeWords={wholeWords}
            onQuery={onQuery}
          />
        )}
        {topics.length > 0 && (
          <button
            ref={add}
            type="button"
            class="button"
            aria-expanded={form !== undefined}
            onClick={() => (form ? close() : open(undefined))}
          >
            Add filter
          </button>
        )}
        {children}
      </div>
      {form && (
        <FilterForm
          key={form.turn}
          topics={topics}
          condition={form.condition}
          refused={refusal !== undefined && form.asked !== undefined}
          reasonId={reasonId}
          onApply={(condition, shown, repeatable) => {
            shownAs.current.set(condition.value, shown)
            const asked = withCondition(pairs, condition, { instead: form.condition, repeatable })
            // Whoever corrects it changes this one.
            setForm({ ...form, condition, asked })
            onQuery(asked)
          }}
          onCancel={close}
        />
      )}
      <Chips
        pairs={pairs}
        topics={topics}
        shownAs={shownAs.current}
        refused={refused}
        onEdit={open}
        onTake={onTake}
      />
      {reason !== undefined && (
        <Refusal
          id={reasonId}
          reason={reason}
          title={title}
          pairs={pairs}
          refused={refused}
          onChange={!form && refused && findChoice(topics, refused) ? () => open(refused) : undefined}
          onTake={onTake}
        />
      )}
    </div>
  )
}

interface SearchFieldProps {
  readonly variable: Variable
  readonly pairs: readonly Pair[]
  readonly title: string
  /** Whether it finds these alone. */
  readonly wholeWords: boolean
  readonly onQuery: (query: string) => void
}

/** Free text. It is asked when somebody says so, and not at every letter. */
export function SearchField({ variable, pairs, title, wholeWords, onQuery }: SearchFieldProps) {
  const id = useId()
  const asked = pairs.find(({ name }) => name === variable.name)?.value ?? ''
  const [text, setText] = useState(asked)
  useEffect(() => setText(asked), [asked])
  const hint = wholeWords ? `Finds whole words in the texts of the ${title} themselves` : undefined
  return (
    <search>
      <form
        class="table-search"
        onSubmit={(event) => {
          event.preventDefault()
          onQuery(withValue(pairs, variable.name, text.trim() || undefined))
        }}
      >
        <label class="visually-hidden" for={id}>
          Search {title}
        </label>
        <input
          id={id}
          class="input"
          type="search"
          placeholder={wholeWords ? `Whole words in ${title}` : `Search ${title}`}
          title={hint}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button type="submit">Search</Button>
      </form>
    </search>
  )
}

interface RefusalProps {
  readonly id: string
  readonly reason: string
  /** Of the collection, in words. */
  readonly title: string
  readonly pairs: readonly Pair[]
  /** The filter that it is about, where that is known. */
  readonly refused: Pair | undefined
  /** Undefined where nothing can be changed, or somebody does so already. */
  readonly onChange: (() => void) | undefined
  /** Asks without what was taken away. */
  readonly onTake: (query: string) => void
}

/** Why the API does not answer, and the ways on. */
export function Refusal({ id, reason, title, pairs, refused, onChange, onTake }: RefusalProps) {
  const hasOthers = pairs.filter(isCondition).length > 1
  return (
    <div class="failure table-refusal" role="alert">
      <p id={id}>{reason}</p>
      <div class="actions">
        {onChange && <Button onClick={onChange}>Change this filter</Button>}
        {refused && hasOthers && (
          <Button onClick={() => onTake(withoutPair(pairs, refused))}>Remove this filter</Button>
        )}
        <Button onClick={() => onTake(withoutConditions(pairs))}>Show all {title}</Button>
      </div>
    </div>
  )
}
