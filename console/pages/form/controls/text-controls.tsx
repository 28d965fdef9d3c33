import { useState } from 'preact/hooks'
import type { PropertyDescription } from '../../../../src/client/index.ts'
import { Button, Select } from '../../../shared/controls/index.ts'
import { inWords } from '../../../shared/names/index.ts'
import { isNumber } from '../../../shared/values/index.ts'
import { boundsOf } from '../drafts/checks.ts'
import type { TextDraft } from '../drafts/draft.ts'
import { labelOf } from '../drafts/field-ids.ts'
import { fromField, momentText, readMoment, toField, withClock, zoneHere } from '../drafts/local-time.ts'
import type { Described } from './field-parts.tsx'
import { submitOnEnter } from './focus.ts'

export interface ControlProps extends Described {
  readonly id: string
  readonly property: PropertyDescription
  readonly draft: TextDraft
  readonly alone: boolean
  readonly name?: string | undefined
  readonly onText: (text: string) => void
}

export const tied = ({ id, property, name, describedBy, invalid }: ControlProps) => ({
  id,
  'aria-label': name,
  'aria-describedby': describedBy,
  'aria-invalid': invalid || undefined,
  'aria-required': property.required || undefined,
})

/** A title fits a line; a longer text needs several to be read. */
const LINE = 250

export function TextControl(props: ControlProps) {
  const { draft, onText } = props
  const isJson = draft.kind === 'json'
  if (isJson || isLong(props)) {
    return (
      <textarea
        {...tied(props)}
        class={`input form-long${isJson ? ' mono' : ''}`}
        // For a browser that does not let it grow by itself.
        rows={Math.min(12, draft.text.split('\n').length)}
        value={draft.text}
        onKeyDown={isJson ? undefined : submitOnEnter}
        placeholder={isJson ? undefined : 'Shift+Enter for a new line'}
        onInput={(event) => onText(event.currentTarget.value)}
      />
    )
  }
  return (
    <input
      {...tied(props)}
      class={`input ${isNarrow(props) ? 'form-narrow' : ''}`}
      type="text"
      inputMode={inputMode(props)}
      autocomplete="off"
      value={draft.text}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  )
}

/** A text with line ends keeps them, whatever its length: a field of one line would remove them. */
function isLong({ property: { constraints, name }, draft, alone }: ControlProps): boolean {
  if (draft.kind !== 'text') return false
  if (/[\n\r]/.test(draft.text)) return true
  if (!alone || constraints.pattern || constraints.unique || SHORT.test(name)) return false
  return (constraints.maxLength ?? LINE + 1) > LINE
}

const SHORT = /^(name|title|label|headline|subject|email|phone)$|(Name|Title|Email)$/

const isNarrow = ({ draft: { kind }, property: { constraints } }: ControlProps): boolean =>
  isNumber(kind) || kind === 'time' || kind === 'duration' || (constraints.maxLength ?? LINE) <= 20

/** Keyboards for digits may have no minus. */
function inputMode({ draft: { kind }, property }: ControlProps): 'numeric' | 'decimal' | 'url' | 'text' {
  if (kind === 'iri') return 'url'
  if (!isNumber(kind) || !(Number(boundsOf(property).least) >= 0)) return 'text'
  return kind === 'integer' ? 'numeric' : 'decimal'
}

/** A day from the calendar; one that the browser's calendar cannot show (a zone, the year -44) is typed. */
export function DateControl(props: ControlProps) {
  const { draft, onText } = props
  if (!/^(\d{4}-\d{2}-\d{2})?$/.test(draft.text)) return <TextControl {...props} alone />
  return (
    <input
      {...tied(props)}
      class="input form-narrow"
      type="date"
      value={draft.text}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  )
}

/** A value that the browser's field cannot show is typed, and stays so: a field that becomes another loses the focus. */
export function DateTimeControl(props: ControlProps) {
  const { text } = props.draft
  const canShow = text === '' || readMoment(text) !== undefined
  const [typed, setTyped] = useState(!canShow)
  if (!canShow && !typed) setTyped(true)
  return (
    <div class="form-beside">
      {typed || !canShow ? <TextControl {...props} alone /> : <MomentFields {...props} />}
      <Button onClick={() => props.onText(now())}>Now</Button>
    </div>
  )
}

function MomentFields(props: ControlProps) {
  const { draft, property, name, onText } = props
  // The browser says nothing of a half typed time: its zone is kept here.
  const [zone, setZone] = useState<string>()
  const moment = readMoment(draft.text) ?? { clock: '', zone: zone ?? zoneHere('') }
  const zones = [...new Set([moment.zone, zoneHere(moment.clock), 'Z'])]
  return (
    <>
      <input
        {...tied(props)}
        class="input form-moment"
        type="datetime-local"
        step="1"
        max="9999-12-31T23:59:59"
        value={toField(moment.clock)}
        onInput={(event) => {
          const next = withClock(moment, fromField(event.currentTarget.value))
          setZone(moment.zone)
          onText(momentText(next))
        }}
      />
      <Select
        class="form-zone"
        aria-label={`Zone of ${inWords(name ?? labelOf(property))}`}
        value={moment.zone}
        options={zones.map((one) => [one, zoneLabel(one, moment.clock)])}
        onChange={(next) => {
          setZone(next)
          onText(momentText({ ...moment, zone: next }))
        }}
      />
    </>
  )
}

function zoneLabel(zone: string, clock: string): string {
  if (zone === 'Z') return 'UTC'
  if (zone === '') return 'No zone'
  return zone === zoneHere(clock) ? `${zone} (here)` : zone
}

const now = (): string => new Date().toISOString().replace(/\.\d+Z$/, 'Z')
