import type { MemberEntry } from 'hydrant-client'
import { momentText } from '../values.ts'
import { useMemberName } from './member-names.ts'
import { MemberLink, Time } from './value.tsx'

/** Who has made a change; the API does not tell everyone. */
export const Actor = ({ iri }: { iri: string | undefined }) =>
  iri === undefined ? <span class="soft">someone</span> : <NamedActor iri={iri} />

const NamedActor = ({ iri }: { iri: string }) => <MemberLink iri={iri}>{useMemberName(iri)}</MemberLink>

export const Moment = ({ at }: { at: Date }) => <Time value={at.toISOString()} text={momentText(at)} />

const DONE = { create: 'Created', update: 'Changed', delete: 'Deleted' } as const

/** `Changed by Ann on Nov 18, 2026, 9:30:01 AM UTC.` */
export const ChangeFacts = ({ entry: { type, actor, published } }: { entry: MemberEntry }) => (
  <p>
    {DONE[type]} by <Actor iri={actor} /> on <Moment at={published} />.
  </p>
)
