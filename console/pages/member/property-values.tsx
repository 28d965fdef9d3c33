import type { ClassDescription, CollectionDescription, Member, PropertyDescription } from 'hydrant-client'
import { createContext } from 'preact'
import { useContext, useState } from 'preact/hooks'
import { canCreate, classNamed, membersWord, memberWord, useApi } from '../../shared/connection/index.ts'
import { Button, Literal, MemberLink, takeFocus, Unit, useMemberName } from '../../shared/controls/index.ts'
import { ownName } from '../../shared/labels.ts'
import { hrefOf, labelOf, linkIn, pathBelow } from '../../shared/names.ts'
import { entriesOf, isEmpty } from '../../shared/property-entries.ts'
import { isNumber, type Kind, kindOf, type ValuesByName } from '../../shared/values.ts'
import { tableAt } from './representation.ts'

export const NamedLinks = createContext<ReadonlySet<string>>(new Set())

export function PropertyValues(props: { data: ValuesByName; cls: ClassDescription | undefined; at: string }) {
  const { data, cls, at } = props
  const entries = entriesOf(data, cls)
  const empty = entries.filter(isEmpty)
  return (
    <>
      <dl class="member-properties">
        {entries
          .filter((entry) => !isEmpty(entry))
          .map(({ name, label, property, value }) => (
            <div key={name}>
              <dt title={property?.description || undefined}>{label}</dt>
              <dd>
                <ValueList value={value} property={property} at={at} />
              </dd>
            </div>
          ))}
      </dl>
      {empty.length > 0 && (
        <p class="hint member-empty">No value: {empty.map(({ label }) => label).join(', ')}</p>
      )}
    </>
  )
}

interface ValueProps {
  readonly value: unknown
  readonly property: PropertyDescription | undefined
  readonly at: string
}

const MOST_AT_ONCE = 10

/** One value, or the first ten of many, and ten more at each click. */
export function ValueList({ value, property, at }: ValueProps) {
  const [most, setMost] = useState(MOST_AT_ONCE)
  if (!Array.isArray(value)) return <Value value={value} property={property} at={at} isWanted={false} />
  const more = value.length - most
  const first: readonly unknown[] = value.slice(0, most)
  const newFrom = most - MOST_AT_ONCE
  return (
    <>
      {isTable(first, property) ? (
        <EmbeddedTable rows={first} newFrom={newFrom} property={property} at={at} />
      ) : (
        <ul class={isShort(value) ? 'member-values short' : 'member-values'}>
          {first.map((one, index) => (
            <li key={String(index)} {...focusOf(index, newFrom)}>
              <Value value={one} property={property} at={at} isWanted={index >= MOST_AT_ONCE} />
            </li>
          ))}
        </ul>
      )}
      {more > 0 && (
        <Button
          label={`Show ${Math.min(more, MOST_AT_ONCE)} more of ${value.length}`}
          onClick={() => setMost(most + MOST_AT_ONCE)}
        />
      )}
    </>
  )
}

/** The button may be gone, so the first of the new values gets the focus. */
const focusOf = (index: number, newFrom: number) =>
  index < MOST_AT_ONCE ? {} : { tabIndex: -1, ref: index === newFrom ? takeFocus : null }

const isTable = (
  values: readonly unknown[],
  property: PropertyDescription | undefined,
): values is readonly ValuesByName[] =>
  (!property || kindOf(property) === 'embedded') &&
  values.every((one) => isNode(one) && !('@value' in one) && !('@id' in one))

interface EmbeddedValuesProps extends Omit<ValueProps, 'value'> {
  readonly rows: readonly ValuesByName[]
  readonly newFrom: number
}

/** Embedded values of one class: a row for each, a column for each property that any of them has. */
function EmbeddedTable({ rows, newFrom, property, at }: EmbeddedValuesProps) {
  const cls = classNamed(useApi(), property?.range)
  const entries = rows.map((row) => entriesOf(row, cls))
  const filled = entries.flat().filter((entry) => !isEmpty(entry))
  const columns = [...new Map(filled.map((entry) => [entry.name, entry])).values()]
  const order = (cls?.properties ?? []).map(({ name }) => name)
  columns.sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name))
  return (
    // It can be focused, so that it can be scrolled with the keyboard.
    <section class="member-table" aria-label={property && labelOf(property)} {...{ tabIndex: 0 }}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, label, property }) => (
              <th
                key={name}
                scope="col"
                class={alignment(property)}
                title={property?.description || undefined}
              >
                {label}
                <Unit unit={property?.unit} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((row, index) => (
            <tr key={String(index)} {...focusOf(index, newFrom)}>
              {columns.map((column) => (
                <td key={column.name} class={alignment(column.property)}>
                  <ValueList
                    property={column.property && { ...column.property, unit: '' }}
                    value={row.find(({ name }) => name === column.name)?.value}
                    at={at}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const alignment = (property: PropertyDescription | undefined): string =>
  property && isNumber(kindOf(property)) ? 'number' : ''

const isShort = (values: readonly unknown[]): boolean =>
  values.every((one) => typeof one !== 'object' && String(one).length < 40 && !String(one).includes('://'))

/** `isWanted`: the user asked to see it, so its name is read from the API. */
function Value({ value, property, at, isWanted }: ValueProps & { readonly isWanted: boolean }) {
  const api = useApi()
  const described = classNamed(api, property?.range)
  const named = useContext(NamedLinks)
  const kind = property ? kindOf(property) : kindOfUndescribed(value)
  const link = kind === 'link' ? linkIn(value, at) : undefined
  const table = link && tableAt(link, api.collections)
  if (table) return <FilteredTable {...table} />
  if (link) {
    const known = isNode(value) ? ownName(value, described, api.documentation.classes) : undefined
    return <LinkedMember iri={link} known={known} asks={isWanted || named.has(link)} />
  }
  if (kind === 'languages' || typeof value !== 'object' || value === null || '@value' in value)
    return <Literal value={value} kind={kind} property={property} />
  return (
    <div class="member-embedded">
      <PropertyValues data={value as ValuesByName} cls={described} at={at} />
    </div>
  )
}

/** The members that link to this one, and a form for another one. */
function FilteredTable({ collection, query }: { collection: CollectionDescription; query: string }) {
  const { name } = collection
  return (
    <span class="row">
      <a href={hrefOf({ page: 'table', name, query })}>Show {membersWord(collection)}</a>
      {canCreate(collection) && (
        <a href={hrefOf({ page: 'create', name, query })}>New {memberWord(collection)}</a>
      )}
    </span>
  )
}

const isNode = (value: unknown): value is Member['data'] =>
  typeof value === 'object' && value !== null && Object.keys(value).some((key) => !key.startsWith('@'))

const kindOfUndescribed = (value: unknown): Kind =>
  typeof value === 'object' && value ? ('@id' in value ? 'link' : 'embedded') : 'text'

interface LinkedMemberProps {
  readonly iri: string
  readonly known?: string | undefined
  /** Whether the name is read from the API if it is not known. */
  readonly asks?: boolean
}

export function LinkedMember({ iri, known, asks }: LinkedMemberProps) {
  const { base } = useApi()
  const name = useMemberName(iri, known, asks)
  return (
    <MemberLink iri={iri} title={iri}>
      {pathBelow(base, iri) === undefined ? iri : name}
    </MemberLink>
  )
}
