import { ValueText } from '../controls/value-text.tsx'
import { labelOf } from '../drafts/field-ids.ts'
import type { Difference, Side } from './comparison.ts'

interface DifferenceChoiceProps {
  readonly place: string
  readonly difference: Difference
  readonly side: Side | undefined
  /** It has to be decided before anything is saved. */
  readonly missing: boolean
  readonly onSide: (side: Side) => void
}

const CHANGED = { mine: 'only you changed it', theirs: 'only they changed it', both: 'both changed it' }

/** One property: as it was found, as it is now, and yours. */
export function DifferenceChoice({ place, difference, side, missing, onSide }: DifferenceChoiceProps) {
  const { property, seen, current, mine, changedBy } = difference
  const choices = [
    { side: 'theirs', title: 'As it is now', value: current },
    { side: 'mine', title: 'Yours', value: mine },
  ] as const
  return (
    <fieldset
      id={place}
      class="compare-item"
      tabIndex={-1}
      aria-describedby={missing ? `${place}-violation` : undefined}
    >
      <legend>
        {labelOf(property)} <span class={`badge compare-${changedBy}`}>{CHANGED[changedBy]}</span>
      </legend>
      <div class="compare-columns">
        <div class="compare-seen">
          <span class="compare-title">As you found it</span>
          <ValueText value={seen} isLink={property.isLink} />
        </div>
        {choices.map((choice) => (
          <label key={choice.side} class="compare-choice">
            <span class="compare-title">
              <input
                type="radio"
                name={place}
                checked={side === choice.side}
                aria-invalid={missing || undefined}
                onChange={() => onSide(choice.side)}
              />
              {choice.title}
            </span>
            <ValueText value={choice.value} isLink={property.isLink} />
          </label>
        ))}
      </div>
      {missing && (
        <p class="violation" id={`${place}-violation`}>
          Both of you have changed {labelOf(property).toLowerCase()}: choose one.
        </p>
      )}
    </fieldset>
  )
}
