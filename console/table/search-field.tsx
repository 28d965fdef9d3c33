import { useEffect, useId, useState } from 'preact/hooks'
import { type Pair, withValue } from './query.ts'
import type { Variable } from './variables.ts'

interface SearchFieldProps {
  readonly variable: Variable
  readonly pairs: readonly Pair[]
  readonly title: string
  readonly onQuery: (query: string) => void
}

/** Free text. It is asked when somebody says so, and not at every letter. */
export function SearchField({ variable, pairs, title, onQuery }: SearchFieldProps) {
  const id = useId()
  const asked = pairs.find(({ name }) => name === variable.name)?.value ?? ''
  const [text, setText] = useState(asked)
  useEffect(() => setText(asked), [asked])
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
          placeholder={`Search ${title}`}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <button type="submit" class="button">
          Search
        </button>
      </form>
    </search>
  )
}
