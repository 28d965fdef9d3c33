import type { PropertyDescription } from '../../../../src/client/index.ts'
import type { TextDraft } from '../drafts/draft.ts'
import type { Described } from './field-parts.tsx'

/** What every control for one typed value is given. */
export interface ControlProps extends Described {
  /** The id. */
  readonly place: string
  readonly property: PropertyDescription
  readonly draft: TextDraft
  /** For a control that has no label to be seen. */
  readonly name?: string | undefined
  readonly onText: (text: string) => void
}

/** What ties a control to its label, its hint and what is wrong with it. */
export const tied = ({ place, property, name, describedBy, invalid }: ControlProps) => ({
  id: place,
  'aria-label': name,
  'aria-describedby': describedBy,
  'aria-invalid': invalid || undefined,
  'aria-required': property.required || undefined,
})
