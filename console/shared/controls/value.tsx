import type { ComponentChildren } from 'preact'
import { classNamed, useApi } from '../connection/index.ts'
import { counted, hrefOf, linkIn, ownName, pathBelow, shortName } from '../names.ts'
import { cut, isObject, type Kind, phraseOf, textOf, type Values } from '../values.ts'
import { useKnownNames } from './member-names.ts'

/** Enough values of a list, and enough characters of a text, to tell rows apart. */
export const MOST_VALUES = 3
const MOST_CHARACTERS = 80

interface CellProps {
  readonly value: unknown
  readonly kind: Kind
  readonly range: string | undefined
  /** What the values are called, to count them by. */
  readonly words: string
  /** The address of the member: links may be relative to it. */
  readonly at: string
}

export function Cell({ value, ...more }: CellProps) {
  if (value === undefined || value === null) return null
  if (!Array.isArray(value)) return <One value={value} {...more} />
  if (more.kind === 'embedded' && value.some((one) => linkIn(one, more.at) === undefined))
    return <Text text={counted(value.length, more.words)} />
  const rest = value.length - MOST_VALUES
  return (
    <>
      {value.slice(0, MOST_VALUES).map((one, index) => (
        <>
          {index > 0 && ', '}
          <One value={one} {...more} />
        </>
      ))}
      {rest > 0 && (
        <span class="soft" title={cut(textOf(value, more.kind), 500).text}>
          {' '}
          and {rest} more
        </span>
      )}
    </>
  )
}

function One({ value, kind, range, at }: Omit<CellProps, 'words'>) {
  // An embedded value may be a link that the documentation does not describe as one.
  const link = kind === 'link' || kind === 'embedded' ? linkIn(value, at) : undefined
  if (link) return <NamedLink iri={link} value={value} range={range} />
  if (kind === 'embedded' && isObject(value)) return <Phrase value={value} range={range} />
  const text = textOf(value, kind)
  if (kind === 'iri' && /^https?:/i.test(text)) return <OutsideLink iri={text}>{text}</OutsideLink>
  return kind === 'date' || kind === 'dateTime' ? <Time value={value} text={text} /> : <Text text={text} />
}

function Phrase({ value, range }: { value: Values; range: string | undefined }) {
  const api = useApi()
  const names = useKnownNames()
  const linked = (iri: string): string => names.get(iri) ?? shortId(shortName(iri))
  return <Text text={phraseOf(value, classNamed(api, range), { ...api.documentation, linked })} />
}

const Time = ({ value, text }: { value: unknown; text: string }) => (
  <time dateTime={String(value)} title={String(value)}>
    {text}
  </time>
)

export function Text({ text }: { text: string }) {
  const { text: shown, whole } = cut(text, MOST_CHARACTERS)
  return <span title={whole}>{shown}</span>
}

/** A member by its name where that is known, and otherwise by the end of its address: reading names takes requests. */
function NamedLink({ iri, value, range }: Pick<CellProps, 'value' | 'range'> & { readonly iri: string }) {
  const api = useApi()
  const names = useKnownNames()
  const brought = typeof value === 'object' ? ownName(value as never, classNamed(api, range)) : undefined
  const known = brought ?? names.get(iri)
  const name = known === undefined ? shortId(shortName(iri)) : cut(known, MOST_CHARACTERS).text
  return (
    <MemberLink iri={iri} class={name.startsWith('…') ? 'mono' : undefined} title={iri}>
      {name}
    </MemberLink>
  )
}

/** The end of a UUID tells most: those of version 7 begin with the time. */
const shortId = (name: string): string =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(name) ? `…${name.slice(-8)}` : cut(name, 30).text

interface LinkProps {
  readonly iri: string
  readonly children: ComponentChildren
}

interface MemberLinkProps extends LinkProps {
  readonly class?: string | undefined
  readonly title?: string
}

export function MemberLink({ iri, children, ...more }: MemberLinkProps) {
  const path = pathBelow(useApi().base, iri)
  if (path === undefined) return <OutsideLink iri={iri}>{children}</OutsideLink>
  return (
    <a href={hrefOf({ page: 'member', path })} {...more}>
      {children}
    </a>
  )
}

/** Data may contain any address: only these schemes become links. */
function OutsideLink({ iri, children }: LinkProps) {
  if (!/^https?:/i.test(iri)) return <span title={iri}>{children}</span>
  return (
    <a href={iri} rel="noreferrer" target="_blank" title={iri}>
      {children}
    </a>
  )
}

export function Literal({ value, kind }: Pick<CellProps, 'value' | 'kind'>) {
  if (kind === 'languages' && typeof value === 'object' && value) return <Languages texts={value} />
  const text = textOf(value, kind)
  if (kind === 'iri') return <OutsideLink iri={text}>{text}</OutsideLink>
  if (kind === 'date' || kind === 'dateTime') return <Time value={value} text={text} />
  return <span class="member-text">{text}</span>
}

const Languages = ({ texts }: { texts: object }) => (
  <dl class="member-languages">
    {Object.entries(texts).map(([language, text]) => (
      <div key={language}>
        <dt class="badge">{language}</dt>
        <dd class="member-text" lang={language}>
          {textOf(text, 'text')}
        </dd>
      </div>
    ))}
  </dl>
)
