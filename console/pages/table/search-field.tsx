import { useEffect, useId, useState } from 'preact/hooks'
import type { Variable } from '../../shared/search-variables.ts'
import { type Pair, withValue } from './query.ts'

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
        <button type="submit" class="button">
          Search
        </button>
      </form>
    </search>
  )
}
