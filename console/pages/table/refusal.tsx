import { isCondition, type Pair, withoutConditions, withoutPair } from './query.ts'

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
        {onChange && (
          <button type="button" class="button" onClick={onChange}>
            Change this filter
          </button>
        )}
        {refused && hasOthers && (
          <button type="button" class="button" onClick={() => onTake(withoutPair(pairs, refused))}>
            Remove this filter
          </button>
        )}
        <button type="button" class="button" onClick={() => onTake(withoutConditions(pairs))}>
          Show all {title}
        </button>
      </div>
    </div>
  )
}
