import { useEffect, useRef, useState } from 'preact/hooks'
import type { PropertyDescription } from '../../../../src/client/index.ts'
import { Button } from '../../../shared/controls/button.tsx'
import { focusPlace } from '../controls/focus.ts'
import { ValueText } from '../controls/read-only-values.tsx'
import type { PropertyDraft } from '../drafts/draft.ts'
import { labelOf } from '../drafts/field-ids.ts'
import { compare, type Difference, proposedSide, type Side } from './comparison.ts'

type Values = Readonly<Record<string, unknown>>

interface ComparisonProps {
  readonly drafts: readonly PropertyDraft[]
  readonly seen: Values
  readonly current: Values
  readonly mine: Values
  readonly busy: boolean
  readonly onBack: () => void
  readonly onChosen: (isMine: (property: PropertyDescription) => boolean) => void
}

/** Somebody else was faster: what was found, what is there now, what is to be written, and which of them it shall be. */
export function Comparison({ drafts, seen, current, mine, busy, onBack, onChosen }: ComparisonProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const differences = compare(drafts, seen, current, mine)
  const [sides, setSides] = useState<ReadonlyMap<string, Side>>(new Map())
  const [asked, setAsked] = useState(false)
  const sideOf = (one: Difference) => sides.get(one.property.name) ?? proposedSide(one)
  const open = differences.filter((one) => sideOf(one) === undefined)

  const submit = (event: Event) => {
    event.preventDefault()
    if (busy) return
    setAsked(true)
    const [first] = open
    if (first) return focusPlace(`choice-${differences.indexOf(first)}`)
    const names = differences.filter((one) => sideOf(one) === 'mine').map(({ property }) => property.name)
    onChosen(({ name }) => names.includes(name))
  }
  return (
    <form class="form compare" aria-labelledby="compare-title" onSubmit={submit}>
      <header class="compare-head">
        <h2 id="compare-title" ref={heading} tabIndex={-1}>
          Somebody else has changed it meanwhile
        </h2>
        <p>{introduction(differences)}</p>
      </header>
      {differences.map((one, index) => (
        <DifferenceChoice
          key={one.property.name}
          place={`choice-${index}`}
          difference={one}
          side={sideOf(one)}
          missing={asked && open.includes(one)}
          onSide={(side) => setSides(new Map(sides).set(one.property.name, side))}
        />
      ))}
      <div class="form-actions">
        <Button type="submit" class="primary" aria-disabled={busy}>
          {busy ? 'Saving …' : 'Save'}
        </Button>
        <Button onClick={onBack}>Back to the form</Button>
      </div>
    </form>
  )
}

function introduction(differences: readonly Difference[]): string {
  if (differences.length === 0) return 'It is already as you want it: there is nothing left to decide.'
  return 'Nothing of yours has been saved yet. Choose, for each difference, which one shall stay.'
}

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
