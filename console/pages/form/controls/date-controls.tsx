import { useState } from 'preact/hooks'
import { Button, Select } from '../../../shared/controls/index.ts'
import { inWords } from '../../../shared/names/index.ts'
import { labelOf } from '../drafts/field-ids.ts'
import { fromField, momentText, readMoment, toField, withClock, zoneHere } from '../drafts/local-time.ts'
import { type ControlProps, TextControl, tied } from './text-control.tsx'

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

/**
 * A day, a time and a zone. A value that the browser's field cannot show stays text, with every digit; and stays so
 * while it is typed, since a field that becomes another one loses the focus.
 */
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
