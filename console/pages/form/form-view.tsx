import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { CollectionDescription } from '../../../src/client/index.ts'
import { sentenceOf, useApi } from '../../shared/connection/index.ts'
import { Button, MemberLink, Status } from '../../shared/controls/index.ts'
import { namingProperty } from '../../shared/names.ts'
import type { Values } from '../../shared/values.ts'
import { focusField, ProblemsContext } from './controls/field-parts.tsx'
import { PropertyFields } from './controls/property-field.tsx'
import type { Problem } from './drafts/field-ids.ts'
import type { Problems } from './drafts/problems.ts'
import type { Form } from './drafts/use-form.ts'
import { findOptions, type PickerOption } from './picker/picker-search.ts'

interface FormViewProps {
  readonly form: Form
  readonly label: string
  readonly submitLabel: string
  readonly cancel: string | (() => void)
  readonly save: (values: Values) => Promise<void>
  /** The collection that a new member is added to. */
  readonly creates?: CollectionDescription | undefined
  readonly note?: string
  /** What others have done meanwhile. */
  readonly other?: ComponentChildren
  readonly children?: ComponentChildren
}

export function FormView(props: FormViewProps) {
  const { form, label, submitLabel, cancel, save, creates, note, other, children } = props
  const { root, drafts, setDrafts, problems, busy } = form
  const byField = useMemo(() => Map.groupBy(problems?.list ?? [], ({ id }) => id), [problems])
  const submit = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    form.submit(save, unreadDates(event.currentTarget))
  }
  return (
    <ProblemsContext.Provider value={byField}>
      <form class="form" noValidate aria-label={label} aria-busy={busy} onSubmit={submit}>
        {problems && <ErrorSummary form={form} problems={problems} creates={creates} />}
        <div class="form-fields">
          <PropertyFields drafts={drafts} id={root} onChange={setDrafts} />
          {children}
        </div>
        <div class="form-actions row">
          <Button
            label={busy ? 'Saving …' : submitLabel}
            type="submit"
            class="primary"
            aria-disabled={busy}
          />
          {typeof cancel === 'string' ? (
            <a class="button" href={cancel}>
              Cancel
            </a>
          ) : (
            <Button onClick={cancel}>Cancel</Button>
          )}
          <Status>{note}</Status>
          {other}
        </div>
      </form>
    </ProblemsContext.Provider>
  )
}

/** A half typed date has no value at all; that is not the same as none. */
const unreadDates = (form: HTMLFormElement): readonly Problem[] =>
  [...form.querySelectorAll('input')]
    .filter(({ validity }) => validity.badInput)
    .map(({ id, type }) => ({
      id,
      sentence: `This ${type === 'date' ? 'date' : 'date or time'} is not complete, or not in the calendar.`,
    }))

type ErrorSummaryProps = Pick<FormViewProps, 'form' | 'creates'> & { readonly problems: Problems }

/** All problems, each with a link to its field. Each failed attempt gives it the focus. */
function ErrorSummary({ form, problems, creates }: ErrorSummaryProps) {
  const id = `${form.root}-summary`
  const box = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    box.current?.focus()
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [problems.attempt])
  return (
    <section class="failure form-summary" ref={box} tabIndex={-1} aria-labelledby={id}>
      <h2 id={id}>{problems.title}</h2>
      <ul class="bullets">
        {problems.list.map(({ id: field, sentence }) => (
          <li key={`${field} ${sentence}`}>
            {field === undefined ? (
              sentence
            ) : (
              // It moves the focus: the part of the address after `#` names the page.
              <a href={location.hash} onClick={(event) => moveFocus(event, field)}>
                {sentence}
              </a>
            )}
          </li>
        ))}
      </ul>
      {creates && problems.uncertain && <DuplicateCheck collection={creates} form={form} />}
    </section>
  )
}

function moveFocus(event: Event, field: string): void {
  event.preventDefault()
  focusField(field)
}

const NOT_FOUND = 'Nothing like it was found, so it was not created. Save it again.'
const FOUND = 'These are similar. If yours is among them, it was created:'

/** A create without an answer may have happened: repeated blindly, it may create the member twice. */
function DuplicateCheck({ collection, form }: { collection: CollectionDescription; form: Form }) {
  const { client } = useApi()
  const [said, setSaid] = useState('')
  const [options, setOptions] = useState<readonly PickerOption[]>([])
  const naming = namingProperty(collection.memberClass)
  const draft = form.drafts.find(({ property }) => property.name === naming)?.draft
  const name = draft && 'text' in draft ? draft.text : ''
  const look = async () => {
    try {
      const found = await findOptions(client, collection, name, AbortSignal.timeout(10_000))
      setSaid(found.length === 0 ? NOT_FOUND : FOUND)
      setOptions(found)
    } catch (error) {
      setSaid(sentenceOf(error))
      setOptions([])
    }
  }
  return (
    <div class="form-look">
      <p>Check first, so that it is not created twice.</p>
      <Button onClick={look}>Check whether it exists</Button>
      <div role="status">
        {said && <p>{said}</p>}
        {options.length > 0 && (
          <ul class="bullets">
            {options.map((option) => (
              <li key={option.iri}>
                <MemberLink iri={option.iri}>{option.name}</MemberLink>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}
