import type { CollectionDescription } from 'hydrant-client'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { sentenceOf, useApi } from '../../shared/connection/index.ts'
import { Button, MemberLink, takeFocus } from '../../shared/controls/index.ts'
import { namingProperty } from '../../shared/labels.ts'
import type { ValuesByName } from '../../shared/values.ts'
import { focusField, ProblemsContext } from './controls/field-parts.tsx'
import { PropertyFields } from './controls/property-field.tsx'
import { ReadOnlyValues } from './controls/read-only-values.tsx'
import type { AttemptedWrite } from './drafts/dry-run.ts'
import type { FormProblem } from './drafts/reading.ts'
import type { FormState } from './drafts/use-form.ts'
import { findOptions, type PickerOption } from './picker/picker-search.ts'

interface FormViewProps {
  readonly form: FormState
  readonly label: string
  readonly submitLabel: string
  readonly cancel: { readonly href: string } | { readonly onClick: () => void }
  readonly save: (values: ValuesByName) => Promise<void>
  /** What `save` would send, to find all problems at once. */
  readonly attempted?: ((values: ValuesByName) => AttemptedWrite) | undefined
  /** Shown beside the buttons. */
  readonly note?: ComponentChildren
}

export function FormView({ form, label, submitLabel, cancel, save, attempted, note }: FormViewProps) {
  const { cls, former, root, drafts, setDrafts, problems, busy } = form
  const byField = Map.groupBy(problems?.list ?? [], ({ id }) => id)
  const submit = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    form.submit(save, { more: unreadDates(event.currentTarget), attempted })
  }
  return (
    <ProblemsContext.Provider value={byField}>
      <form class="form" noValidate aria-label={label} aria-busy={busy} onSubmit={submit}>
        <ErrorSummary form={form} />
        <div class="form-fields">
          <PropertyFields drafts={drafts} id={root} onChange={setDrafts} />
          {cls && former && <ReadOnlyValues cls={cls} data={former} />}
        </div>
        <div class="form-actions row">
          <Button label={submitLabel} busy={busy && 'Saving …'} type="submit" class="primary" />
          <Button label="Cancel" {...cancel} />
          {note}
        </div>
      </form>
    </ProblemsContext.Provider>
  )
}

/** The browser reports no value for a half-typed date, which is not the same as an empty one. */
const unreadDates = (form: HTMLFormElement): readonly FormProblem[] =>
  [...form.querySelectorAll('input')]
    .filter(({ validity }) => validity.badInput)
    .map(({ id, type }) => ({
      id,
      sentence: `This ${type === 'date' ? 'date' : 'date or time'} is incomplete or does not exist.`,
    }))

/** All problems, each with a link to its field. It gets the focus after each failed attempt. */
function ErrorSummary({ form }: { form: FormState }) {
  const { root, problems, creates } = form
  if (!problems) return null
  const { attempt, title, list, uncertain } = problems
  const id = `${root}-summary`
  return (
    <section key={attempt} class="failure form-summary" ref={takeFocus} tabIndex={-1} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul class="bullets">
        {list.map(({ id: field, sentence }) => (
          <li key={`${field} ${sentence}`}>
            {field === undefined ? (
              sentence
            ) : (
              // Moves the focus by itself, since the part of the address after `#` names the page.
              <a
                href={location.hash}
                onClick={(event) => {
                  event.preventDefault()
                  focusField(field)
                }}
              >
                {sentence}
              </a>
            )}
          </li>
        ))}
      </ul>
      {creates && uncertain && <DuplicateCheck collection={creates} form={form} />}
    </section>
  )
}

const NOT_FOUND = 'Nothing similar was found, so it was not created. Save it again.'
const FOUND = 'These are similar. If yours is one of them, it was created:'

/** The response to a create was lost, so the member may exist. Saving again could create it twice. */
function DuplicateCheck({ collection, form }: { collection: CollectionDescription; form: FormState }) {
  const { client, documentation } = useApi()
  const [found, setFound] = useState<{ said: string; options: readonly PickerOption[] }>()
  const { said, options = [] } = found ?? {}
  const naming = namingProperty(collection.memberClass)
  const draft = form.drafts.find(({ property }) => property.name === naming)?.draft
  const name = draft && 'text' in draft ? draft.text : ''
  const look = () =>
    findOptions({ client, documentation }, collection, name, AbortSignal.timeout(10_000)).then(
      (similar) => setFound({ said: similar.length === 0 ? NOT_FOUND : FOUND, options: similar }),
      (error: unknown) => setFound({ said: sentenceOf(error), options: [] }),
    )
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
