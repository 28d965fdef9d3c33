import { type ControlProps, tied } from './control.ts'
import { TextControl } from './text-control.tsx'

/** A day from the calendar; one that the browser's calendar does not know (a zone, the year -44) is typed. */
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
