import type { ClassDescription } from 'hydrant-client'
import { useState } from 'preact/hooks'
import {
  canCreate,
  canPut,
  findName,
  putSingle,
  singleAt,
  useApi,
  useLatestEntry,
} from '../../shared/connection/index.ts'
import { Button, ChangeFacts, takeFocus } from '../../shared/controls/index.ts'
import { classWords, labelOf, pathBelow, wordsOf } from '../../shared/names.ts'
import type { ValuesByName } from '../../shared/values.ts'
import { focusField } from './controls/field-parts.tsx'
import { ValueText } from './controls/read-only-values.tsx'
import { compare, type Difference, mergedDrafts, proposedSide, type Side } from './drafts/changes.ts'
import { asNew, type PropertyDraft } from './drafts/draft.ts'
import { readForm } from './drafts/reading.ts'
import type { FormState } from './drafts/use-form.ts'

interface ComparisonProps {
  readonly form: FormState
  /** The address of the member. */
  readonly iri: string
  /** The values that the form began with, and those that the member has now. */
  readonly seen: ValuesByName
  readonly current: ValuesByName
  readonly onBack: () => void
  readonly onChosen: (drafts: readonly PropertyDraft[]) => void
}

/** Someone else has saved first: the user chooses one of both values for each difference. */
export function Comparison({ form, iri, seen, current, onBack, onChosen }: ComparisonProps) {
  const { drafts, busy, cls } = form
  const change = useLatestEntry(iri, cls)
  const { documentation } = useApi()
  const differences = compare(drafts, seen, current, readForm(drafts, seen).values)
  const [sides, setSides] = useState<ReadonlyMap<string, Side>>(new Map())
  const [asked, setAsked] = useState(false)
  const sideOf = (one: Difference) => sides.get(one.property.name) ?? proposedSide(one)
  const open = differences.filter((one) => sideOf(one) === undefined)

  const submit = (event: Event) => {
    event.preventDefault()
    if (busy) return
    setAsked(true)
    const [first] = open
    if (first) return focusField(`choice-${differences.indexOf(first)}`)
    const mine = differences.filter((one) => sideOf(one) === 'mine').map(({ property }) => property)
    onChosen(mergedDrafts(drafts, current, (property) => mine.includes(property), documentation))
  }
  return (
    <form class="form compare" aria-labelledby="compare-title" onSubmit={submit}>
      <header class="compare-head">
        <h2 id="compare-title" ref={takeFocus} tabIndex={-1}>
          Someone else has changed it
        </h2>
        {change && <ChangeFacts entry={change} />}
        <p>
          {differences.length === 0
            ? 'It already has your values: there is nothing left to decide.'
            : 'Your changes are not saved yet. Choose which value to keep for each difference.'}
        </p>
      </header>
      {differences.map((one, index) => (
        <DifferenceChoice
          key={one.property.name}
          id={`choice-${index}`}
          difference={one}
          side={sideOf(one)}
          missing={asked && open.includes(one)}
          onSide={(side) => setSides(new Map(sides).set(one.property.name, side))}
        />
      ))}
      <div class="form-actions row">
        <Button label="Save" busy={busy && 'Saving …'} type="submit" class="primary" />
        <Button onClick={onBack}>Back to the form</Button>
      </div>
    </form>
  )
}

interface DifferenceChoiceProps {
  readonly id: string
  readonly difference: Difference
  readonly side: Side | undefined
  readonly missing: boolean
  readonly onSide: (side: Side) => void
}

const CHOICES = [
  { side: 'theirs', title: 'Current value', value: 'current' },
  { side: 'mine', title: 'Your value', value: 'mine' },
] as const

const CHANGED = { mine: 'changed by you', theirs: 'changed by them', both: 'changed by both' }

function DifferenceChoice({ id, difference, side, missing, onSide }: DifferenceChoiceProps) {
  const { property, seen, changedBy } = difference
  const describedBy = missing ? `${id}-violation` : undefined
  return (
    <fieldset id={id} class="form-group" tabIndex={-1} aria-describedby={describedBy}>
      <legend>
        {labelOf(property)} <span class={`badge compare-${changedBy}`}>{CHANGED[changedBy]}</span>
      </legend>
      <div class="compare-columns">
        <div class="compare-seen">
          <span class="compare-title">Before</span>
          <ValueText value={seen} isLink={property.isLink} />
        </div>
        {CHOICES.map((choice) => (
          <label key={choice.side} class="compare-choice">
            <span class="compare-title">
              <input
                type="radio"
                name={id}
                checked={side === choice.side}
                aria-invalid={missing || undefined}
                onChange={() => onSide(choice.side)}
              />
              {choice.title}
            </span>
            <ValueText value={difference[choice.value]} isLink={property.isLink} />
          </label>
        ))}
      </div>
      {missing && (
        <p class="violation" id={`${id}-violation`}>
          You have both changed {wordsOf(property)}: choose one of the values.
        </p>
      )}
    </fieldset>
  )
}

/** The member was deleted while the form was open. What was typed can become a new member. */
export function DeletedNotice({ cls, form, iri }: { cls: ClassDescription; form: FormState; iri: string }) {
  const api = useApi()
  const { client, collections, base } = api
  const collection = collections.find((one) => one.memberClass?.iri === cls.iri && canCreate(one))
  const isSingle = canPut(singleAt(api, iri))
  const change = useLatestEntry(iri, cls)

  const label = isSingle ? 'Create it again' : `Create it as a new ${classWords(cls)}`
  const create = async () => {
    const { values } = readForm(asNew(form.drafts))
    if (!collection) await putSingle(client, iri, values)
    const member = await (collection ? client.collectionAt(collection.iri).create(values) : client.get(iri))
    const path = pathBelow(base, member.iri) ?? ''
    form.leave(`${await findName(api, member)} was created.`, { page: 'member', path })
  }
  return (
    <section class="failure form-gone" ref={takeFocus} tabIndex={-1} aria-labelledby="form-gone">
      <h2 id="form-gone">Someone else has deleted it</h2>
      {change && <ChangeFacts entry={change} />}
      <p>It cannot be saved any more. What you have typed is still here.</p>
      {(collection || isSingle) && (
        <Button label={label} busy={form.busy && label} onClick={() => form.submit(create)} />
      )}
    </section>
  )
}
