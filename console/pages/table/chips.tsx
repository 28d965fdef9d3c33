import { Button, useLinkName } from '../../shared/controls/index.ts'
import { alternatives, conditionText, findChoice, linkedBy, type Topic } from './filter-topics.ts'
import { isCondition, type Pair, withoutConditions, withoutPair } from './query.ts'

interface ChipsProps {
  readonly pairs: readonly Pair[]
  readonly topics: readonly Topic[]
  /** Names of members by their addresses, as far as they are known. */
  readonly shownAs: ReadonlyMap<string, string>
  readonly refused: Pair | undefined
  readonly onEdit: (pair: Pair) => void
  readonly onRemove: (query: string) => void
}

export function Chips(props: ChipsProps) {
  const { pairs, onRemove } = props
  const conditions = pairs.filter(isCondition)
  if (conditions.length === 0) return null
  return (
    <ul class="table-chips" aria-label="Filters in force">
      {alternatives(conditions).map((one) => (
        <Chip key={one.pair.raw} {...one} {...props} />
      ))}
      {conditions.length > 1 && (
        <li>
          <Button
            label="Clear all"
            class="quiet table-clear"
            onClick={() => onRemove(withoutConditions(pairs))}
          />
        </li>
      )}
    </ul>
  )
}

interface ChipProps extends ChipsProps {
  readonly pair: Pair
  readonly isAlternative: boolean
}

function Chip({ pair, isAlternative, pairs, topics, shownAs, refused, onEdit, onRemove }: ChipProps) {
  const linked = linkedBy(pair, topics)
  const name = useLinkName(linked ?? '', linked && shownAs.get(linked))
  const text = conditionText(pair, topics, { isAlternative, ...(linked && { linked: name }) })
  // The first of the alternatives stands beside it.
  const shown = isAlternative ? text.slice(text.indexOf('… or') + 2) : text
  return (
    <li class={`table-chip ${isAlternative ? 'or' : ''} ${pair === refused ? 'refused' : ''}`}>
      {findChoice(topics, pair) ? (
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
