import { createContext } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { ClassDescription, Member, PropertyDescription } from '../../../src/client/index.ts'
import { classNamed, useApi } from '../../shared/api.ts'
import { Button } from '../../shared/controls/button.tsx'
import { useKnownNames, useLinkName } from '../../shared/names/member-names.ts'
import { nameOf, shortName } from '../../shared/names/naming.ts'
import { hrefOf, pathBelow } from '../../shared/routes.ts'
import { type Kind, kindOf } from '../../shared/values/kinds.ts'
import { ElsewhereLink, PlainValue } from '../../shared/values/value.tsx'
import { linkIn } from '../table/link-names.ts'
import { entriesOf, isEmpty } from './representation.ts'

interface PropertyValuesProps {
  readonly data: Readonly<Record<string, unknown>>
  readonly cls: ClassDescription | undefined
  /** The address of the member: links may be relative to it. */
  readonly at: string
}

/** Everything that a member, or a value within one, is known to have; what it does not have, in one quiet line. */
export function PropertyValues({ data, cls, at }: PropertyValuesProps) {
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
                <Values value={value} property={property} at={at} />
              </dd>
            </div>
          ))}
      </dl>
      {empty.length > 0 && (
        <p class="hint member-empty">Without a value: {empty.map(({ label }) => label).join(', ')}</p>
      )}
    </>
  )
}

interface ValuesProps {
  readonly value: unknown
  readonly property: PropertyDescription | undefined
  readonly at: string
}

const MOST_AT_ONCE = 10

/** One value, or many: the first ten, and the others when somebody wants them. */
function Values({ value, property, at }: ValuesProps) {
  const [most, setMost] = useState(MOST_AT_ONCE)
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    // The button may be gone: whoever pressed it goes on with what is new.
    if (most > MOST_AT_ONCE) (list.current?.children[most - MOST_AT_ONCE] as HTMLElement | undefined)?.focus()
  }, [most])
  if (!Array.isArray(value)) return <Value value={value} property={property} at={at} isWanted={false} />
  const more = value.length - most
  return (
    <>
      <ul ref={list} class={isShort(value) ? 'member-values short' : 'member-values'}>
        {value.slice(0, most).map((one, index) => (
          <li key={String(index)} tabIndex={index < MOST_AT_ONCE ? undefined : -1}>
            <Value value={one} property={property} at={at} isWanted={index >= MOST_AT_ONCE} />
          </li>
        ))}
      </ul>
      {more > 0 && (
        <Button onClick={() => setMost(most + MOST_AT_ONCE)}>
          Show {Math.min(more, MOST_AT_ONCE)} more of {value.length}
        </Button>
      )}
    </>
  )
}

/** Words and numbers that fit beside each other. */
const isShort = (values: readonly unknown[]): boolean =>
  values.every((one) => typeof one !== 'object' && String(one).length < 40 && !String(one).includes('://'))

interface ValueProps extends ValuesProps {
  /** Somebody asked to see it. */
  readonly isWanted: boolean
}

function Value({ value, property, at, isWanted }: ValueProps) {
  const described = classNamed(useApi(), property?.range)
  const kind = property ? kindOf(property) : plainKind(value)
  const link = kind === 'link' ? linkIn(value, at) : undefined
  if (link) {
    const known = isNode(value) ? nameOf({ iri: link, data: value }, described) : undefined
    return <LinkedMember iri={link} known={known} isWanted={isWanted} />
  }
  if (kind === 'languages' || typeof value !== 'object' || value === null || '@value' in value)
    return <PlainValue value={value} kind={kind} />
  return (
    <div class="member-embedded">
      <PropertyValues data={value as Readonly<Record<string, unknown>>} cls={described} at={at} />
    </div>
  )
}

/** More than an address. */
const isNode = (value: unknown): value is Member['data'] =>
  typeof value === 'object' && value !== null && Object.keys(value).some((key) => !key.startsWith('@'))

/** Of what nobody has described. */
const plainKind = (value: unknown): Kind =>
  typeof value === 'object' && value ? ('@id' in value ? 'link' : 'embedded') : 'text'

/** Links whose names are asked for without being told to. */
export const NamedLinks = createContext<ReadonlySet<string>>(new Set())

interface LinkedMemberProps {
  readonly iri: string
  /** Where the value brings its name along. */
  readonly known: string | undefined
  readonly isWanted: boolean
}

/** A link to another member, by its name. */
export function LinkedMember({ iri, known, isWanted }: LinkedMemberProps) {
  const { base, collections } = useApi()
  const asks = useContext(NamedLinks).has(iri) || isWanted
  const remembered = useKnownNames().get(iri)
  const name = useLinkName(iri, known ?? remembered ?? (asks ? undefined : shortName(iri)))
  const collection = collections.find((one) => one.iri === iri)
  const path = pathBelow(base, iri)
  if (path === undefined) return <ElsewhereLink iri={iri}>{iri}</ElsewhereLink>
  const route = collection
    ? ({ page: 'table', name: collection.name, query: '' } as const)
    : ({ page: 'member', path } as const)
  return (
    <a href={hrefOf(route)} title={iri}>
      {name}
    </a>
  )
}
