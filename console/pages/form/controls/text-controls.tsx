import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { PropertyDescription } from '../../../../src/client/index.ts'
import { Button, Select } from '../../../shared/controls/index.ts'
import { labelOf } from '../../../shared/names.ts'
import { isNumber } from '../../../shared/values.ts'
import type { TextDraft } from '../drafts/draft.ts'
import {
  fromField,
  type Moment,
  momentText,
  readMoment,
  toField,
  withClock,
  zoneHere,
} from '../drafts/local-time.ts'
import { boundsOf } from '../drafts/typed-text.ts'
import { type FieldProps, useTied } from './field-parts.tsx'

type ControlProps = FieldProps<TextDraft>

/** A title fits a line; a longer text needs several to be read. */
const LINE = 250

export function TextControl(props: ControlProps) {
  const { draft, onChange } = props
  const isJson = draft.kind === 'json'
  return (
    <TextInput
      {...useTied(props)}
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

/** One line, or several where the text may have or has them: a field of one line would remove line ends, pasted ones too. */
export function TextInput({ class: look = '', hasLines, value, onText, ...more }: TextInputProps) {
  const wantsLines = hasLines || /[\n\r]/.test(value)
  // It stays so while it is shown: a field that becomes another loses the focus.
  const [isArea, setArea] = useState(wantsLines)
  const area = useRef<HTMLTextAreaElement>(null)
  const wasArea = useRef(isArea)
  if (wantsLines && !isArea) setArea(true)
  useLayoutEffect(() => {
    if (isArea && !wasArea.current) area.current?.focus()
  }, [isArea])
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
  // For a browser that does not let it grow by itself.
  const rows = Math.min(12, value.split('\n').length)
  return isArea ? (
    <textarea {...shared} ref={area} class={`input form-long ${look}`} rows={rows} />
  ) : (
    <input {...shared} class={`input ${look}`} type="text" autocomplete="off" onPaste={paste} />
  )
}

const isNarrow = ({ draft: { kind }, property: { constraints } }: ControlProps): boolean =>
  isNumber(kind) || kind === 'time' || kind === 'duration' || (constraints.maxLength ?? LINE) <= 20

/** Keyboards for digits may have no minus. */
function inputMode({ draft: { kind }, property }: ControlProps): 'numeric' | 'decimal' | 'url' | 'text' {
  if (kind === 'iri') return 'url'
  if (!isNumber(kind) || !(Number(boundsOf(property).least) >= 0)) return 'text'
  return kind === 'integer' ? 'numeric' : 'decimal'
}

/** A value that the browser's field cannot show is typed, and stays so: a field that becomes another loses the focus. */
export function DateTimeControl(props: ControlProps) {
  const { text } = props.draft
  const canShow = text === '' || readMoment(text) !== undefined
  const [typed, setTyped] = useState(!canShow)
  if (!canShow && !typed) setTyped(true)
  return (
    <div class="form-beside row">
      {typed || !canShow ? <TextControl {...props} /> : <MomentFields {...props} />}
      <Button onClick={() => props.onChange({ ...props.draft, text: now() })}>Now</Button>
    </div>
  )
}

function MomentFields(props: ControlProps) {
  const { draft, property, name, onChange } = props
  const type = (next: Moment) => onChange({ ...draft, text: momentText(next) })
  // The browser says nothing of a half typed time: its zone is kept here.
  const [zone, setZone] = useState<string>()
  const moment = readMoment(draft.text) ?? { clock: '', zone: zone ?? zoneHere('') }
  const zones = [...new Set([moment.zone, zoneHere(moment.clock), 'Z'])]
  return (
    <>
      <input
        {...useTied(props)}
        class="input form-moment"
        type="datetime-local"
        step="1"
        max="9999-12-31T23:59:59"
        value={toField(moment.clock)}
        onInput={(event) => {
          setZone(moment.zone)
          type(withClock(moment, fromField(event.currentTarget.value)))
        }}
      />
      <Select
        class="form-zone"
        aria-label={`Zone of ${name ?? labelOf(property)}`}
        value={moment.zone}
        options={zones.map((one) => [one, zoneLabel(one, moment.clock)])}
        onChange={(next) => {
          setZone(next)
          type({ ...moment, zone: next })
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
