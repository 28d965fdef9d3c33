import type { PropertyDescription } from 'hydrant-client'
import { useRef, useState } from 'preact/hooks'
import { Button, Select, takeFocus } from '../../../shared/controls/index.ts'
import { labelOf } from '../../../shared/names.ts'
import { isNumber } from '../../../shared/values.ts'
import type { TextDraft } from '../drafts/draft.ts'
import {
  fromField,
  type LocalMoment,
  momentText,
  readMoment,
  toField,
  withClock,
  zoneHere,
} from '../drafts/local-time.ts'
import { boundsOf } from '../drafts/typed-text.ts'
import { type FieldProps, useFieldAttributes } from './field-parts.tsx'

type ControlProps = FieldProps<TextDraft>

/** A longer text gets several lines. */
const LINE = 250

export function TextControl(props: ControlProps) {
  const { draft, onChange } = props
  const isJson = draft.kind === 'json'
  return (
    <TextInput
      {...useFieldAttributes(props)}
      class={isJson ? 'mono' : isNarrow(props) ? 'form-narrow' : ''}
      inputMode={inputMode(props)}
      hasLines={isJson || (draft.kind === 'text' && hasLines(props.property))}
      value={draft.text}
      onText={(text) => onChange({ ...draft, text })}
    />
  )
}

export const hasLines = ({ constraints }: PropertyDescription): boolean =>
  constraints.multiline ??
  (!constraints.pattern && !constraints.unique && (constraints.maxLength ?? 0) > LINE)

interface TextInputProps {
  readonly id?: string
  readonly lang?: string | undefined
  readonly placeholder?: string
  readonly inputMode?: 'numeric' | 'decimal' | 'url' | 'text'
  readonly [attribute: `aria-${string}`]: string | boolean | undefined
  readonly class?: string
  readonly hasLines: boolean
  readonly value: string
  readonly onText: (text: string) => void
}

/** One line, or several if the text has or may have line ends, which a field of one line would remove. */
export function TextInput({ class: look = '', hasLines, value, onText, ...more }: TextInputProps) {
  const isArea = useEver(hasLines || /[\n\r]/.test(value))
  const [wasArea] = useState(isArea)
  const paste = (event: ClipboardEvent & { currentTarget: HTMLInputElement }) => {
    const pasted = event.clipboardData?.getData('text') ?? ''
    const { selectionStart, selectionEnd } = event.currentTarget
    if (!/[\n\r]/.test(pasted.trim())) return
    event.preventDefault()
    onText(value.slice(0, selectionStart ?? 0) + pasted + value.slice(selectionEnd ?? 0))
  }
  const shared = {
    ...more,
    value,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => onText(currentTarget.value),
  }
  // For browsers in which it does not grow by itself.
  const rows = Math.min(12, value.split('\n').length)
  return isArea ? (
    <textarea {...shared} ref={wasArea ? null : takeFocus} class={`input form-long ${look}`} rows={rows} />
  ) : (
    <input {...shared} class={`input ${look}`} type="text" autocomplete="off" onPaste={paste} />
  )
}

/** Whether it was ever true. A field that is replaced by another one would lose the focus. */
function useEver(now: boolean): boolean {
  const ever = useRef(now)
  ever.current ||= now
  return ever.current
}

const isNarrow = ({ draft: { kind }, property: { constraints } }: ControlProps): boolean =>
  isNumber(kind) || kind === 'time' || kind === 'duration' || (constraints.maxLength ?? LINE) <= 20

/** On-screen keyboards for digits may have no minus. */
function inputMode({ draft: { kind }, property }: ControlProps): 'numeric' | 'decimal' | 'url' | 'text' {
  if (kind === 'iri') return 'url'
  if (!isNumber(kind) || !(Number(boundsOf(property).least) >= 0)) return 'text'
  return kind === 'integer' ? 'numeric' : 'decimal'
}

/** A value that the browser's field cannot show is typed as text. */
export function DateTimeControl(props: ControlProps) {
  const { text } = props.draft
  const isTyped = useEver(text !== '' && readMoment(text) === undefined)
  return (
    <div class="form-beside row">
      {isTyped ? <TextControl {...props} /> : <MomentFields {...props} />}
      <Button onClick={() => props.onChange({ ...props.draft, text: now() })}>Now</Button>
    </div>
  )
}

function MomentFields(props: ControlProps) {
  const { draft, property, name, onChange } = props
  // The browser reports no value for a half-typed time, so its zone is kept here.
  const [zone, setZone] = useState<string>()
  const type = (next: LocalMoment) => {
    setZone(next.zone)
    onChange({ ...draft, text: momentText(next) })
  }
  const moment = readMoment(draft.text) ?? { clock: '', zone: zone ?? zoneHere('') }
  const zones = [...new Set([moment.zone, zoneHere(moment.clock), 'Z'])]
  return (
    <>
      <input
        {...useFieldAttributes(props)}
        class="input form-moment"
        type="datetime-local"
        step="1"
        max="9999-12-31T23:59:59"
        value={toField(moment.clock)}
        onInput={(event) => type(withClock(moment, fromField(event.currentTarget.value)))}
      />
      <Select
        class="form-zone"
        aria-label={`Time zone of ${name ?? labelOf(property)}`}
        value={moment.zone}
        options={zones.map((one) => [one, zoneLabel(one, moment.clock)])}
        onChange={(next) => type({ ...moment, zone: next })}
      />
    </>
  )
}

function zoneLabel(zone: string, clock: string): string {
  if (zone === 'Z') return 'UTC'
  if (zone === '') return 'No time zone'
  return zone === zoneHere(clock) ? `${zone} (here)` : zone
}

const now = (): string => new Date().toISOString().replace(/\.\d+Z$/, 'Z')
