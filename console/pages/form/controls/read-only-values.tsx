import type { ClassDescription, PropertyDescription } from '../../../../src/client/index.ts'
import { kindOf } from '../../../shared/values/kinds.ts'
import { PlainValue } from '../../../shared/values/literal-value.tsx'
import { labelOf } from '../drafts/field-ids.ts'
import { eachOnce, valueIn } from '../drafts/kinds.ts'
import { ValueText } from './value-text.tsx'

interface FixedValuesProps {
  readonly cls: ClassDescription
  readonly data: Readonly<Record<string, unknown>>
}

/** What only the server writes. */
export function FixedValues({ cls, data }: FixedValuesProps) {
  const fixed = eachOnce(cls).filter(
    (property) => !property.writable && valueIn(data, property.name) !== undefined,
  )
  if (fixed.length === 0) return null
  return (
    <dl class="form-fixed">
      {fixed.map((property) => (
        <div key={property.name}>
          <dt>{labelOf(property)}</dt>
          <dd>
            <Fixed value={valueIn(data, property.name)} property={property} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Fixed({ value, property }: { readonly value: unknown; readonly property: PropertyDescription }) {
  if (property.isLink || typeof value === 'object')
    return <ValueText value={value} isLink={property.isLink} />
  return <PlainValue value={value} kind={kindOf(property)} />
}
