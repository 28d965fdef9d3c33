import { createScanValues, type EntryHead, type HistoryEntry } from '../../members/index.ts'
import { type Class, HISTORY, isTied, RESTORE } from '../../vocabulary/index.ts'
import type { Access } from '../access/access.ts'
import { type AccessUser, covers, type Relation } from '../access/ties.ts'
import type { MemberControls, MemberRepresentation } from '../output/member.ts'
import { byMediaType, fingerprint } from '../request.ts'
import type { ClassDependencies } from '../types.ts'
import type { Remembered, SeenEntry } from './remembered.ts'

/** ActivityStreams 2.0, as in the feed. */
const TYPES = { create: 'Create', update: 'Update', delete: 'Delete' } as const

/** Entries of histories as JSON-LD. */
export interface EntryRepresentation {
  /** The address of an entry; numbers are written as in ETags. */
  addressOf(member: Pick<Remembered, 'address'>, entry: Pick<EntryHead, 'version'>): string
  /** `before`: the entry before it; undefined if that is not kept, so that the change is not known. */
  text(
    member: Remembered,
    seen: SeenEntry<HistoryEntry>,
    before: SeenEntry<HistoryEntry> | undefined,
    user: AccessUser & Parameters<ClassDependencies['showActor']>[1],
  ): Promise<string>
}

export function createEntryRepresentation({
  cls,
  access,
  showActor,
}: ClassDependencies): EntryRepresentation {
  const valuesIn = createValuesIn(cls)
  const addressOf: EntryRepresentation['addressOf'] = ({ address }, { version }) =>
    `${address}/${HISTORY}/${access.versions.seal(version)}`

  function changedNames(...both: [SeenEntry<HistoryEntry>, SeenEntry<HistoryEntry>]): string[] {
    const [now = [], then = []] = both.map(({ entry }) => valuesIn(entry.body))
    const isHidden = (name: string) =>
      both.some(({ relation }) => access.views?.of(relation).hidden.has(name))
    return cls.properties.flatMap(({ name }, index) =>
      now[index] === then[index] || isHidden(name) ? [] : name,
    )
  }

  return {
    addressOf,
    async text(member, seen, before, user) {
      const { entry } = seen
      const address = addressOf(member, entry)
      const actor = await showActor(entry.actor, user)
      return JSON.stringify({
        '@id': address,
        '@type': TYPES[entry.kind],
        published: new Date(entry.at).toISOString(),
        ...(actor !== undefined && { actor }),
        ...(before && { changed: changedNames(seen, before) }),
        ...(mayRestore(cls, access, member) && { restore: `${address}/${RESTORE}` }),
      })
    },
  }
}

/** Whether the user may restore it, by a replacement or a creation (history.md, On the wire). */
export function mayRestore(
  { operations }: Class,
  { rights }: Access,
  { latest, relation }: Remembered,
): boolean {
  if (latest.is === 'there') return operations.has('replace') && covers(rights.replace, relation)
  const { create } = rights
  return (
    operations.has('create') &&
    (isTied(create) ? covers(create, { ...relation, owner: false }) : create === 'any')
  )
}

/** The JSON of the properties of a stored text, by their places in the class. */
function createValuesIn({ properties }: Class): (body: string) => readonly (string | undefined)[] {
  const scan = createScanValues(new Map(properties.map(({ name }, index) => [name, index])))
  return (body) => {
    const values: (string | undefined)[] = []
    scan(body, (index, from, to) => {
      values[index] = body.slice(from, to)
    })
    return values
  }
}

/**
 * A past state is shown without the controls of the present. `unnamed`: as in `NamingEntry`; it is in the ETag, so that
 * nobody keeps a link to an account that the entry does not name any more.
 */
export function entryControls(
  { access, representation }: { readonly access: Access; readonly representation: MemberRepresentation },
  relation: Relation,
  unnamed?: string,
): MemberControls {
  const view = access.views?.areTied ? access.views.of(relation) : undefined
  const states = [view?.shownKey ?? '', ...(unnamed === undefined ? [] : [unnamed])]
  return {
    text: '',
    links: [],
    hasHistory: false,
    versions: access.versions,
    hidden: view?.hidden,
    fingerprints: byMediaType((mediaType) =>
      fingerprint(representation.etag({ version: 0 }, mediaType), HISTORY, ...states),
    ),
  }
}
