// What users may see in the studio, as plainly as it can be said.
import { PEOPLE, type Person } from './studio.ts'

export const PERSONS = Object.keys(PEOPLE) as Person[]

/** The links of each class: to accounts by the names of persons, to others by ids; a list where there may be many. */
export const LINKS = {
  projects: { members: { to: 'accounts', many: true } },
  folders: { keeper: { to: 'accounts', many: false } },
  tasks: { assignee: { to: 'accounts', many: false }, project: { to: 'projects', many: false } },
  notes: { project: { to: 'projects', many: false } },
  pages: { reader: { to: 'accounts', many: false }, folders: { to: 'folders', many: true } },
} as const satisfies Record<string, Record<string, { to: string; many: boolean }>>

export type Linking = keyof typeof LINKS

export interface StudioMember {
  readonly owner: Person
  readonly links: Readonly<Record<string, readonly string[]>>
}

/** The members, by `tasks/a`. */
export type StudioState = ReadonlyMap<string, StudioMember>

/** A write that succeeds, or changes nothing. */
export type StudioWrite =
  | {
      readonly kind: 'create'
      readonly by: Person
      readonly name: string
      readonly links: StudioMember['links']
    }
  | { readonly kind: 'change'; readonly name: string; readonly links: StudioMember['links'] }
  | { readonly kind: 'remove'; readonly name: string }

/** The states that a write leads through, one for each member that it changes, with the names of those. */
export function statesOf(
  state: StudioState,
  write: StudioWrite,
): readonly (readonly [string, StudioState])[] {
  const { name } = write
  const before = state.get(name)
  if (write.kind === 'create')
    return [[name, new Map([...state, [name, { owner: write.by, links: write.links }]])]]
  if (before === undefined) return []
  if (write.kind === 'change')
    return [[name, new Map([...state, [name, { ...before, links: { ...before.links, ...write.links } }]])]]
  const states: [string, StudioState][] = []
  let last = state
  // Links to it are taken out first.
  for (const [from, member] of state) {
    const links = withoutTarget(from, member.links, name)
    if (links === undefined) continue
    last = new Map([...last, [from, { ...member, links }]])
    states.push([from, last])
  }
  return [...states, [name, new Map([...last].filter(([one]) => one !== name))]]
}

export const withWrite = (state: StudioState, write: StudioWrite): StudioState =>
  statesOf(state, write).at(-1)?.[1] ?? state

/** Undefined if no link leads there. */
function withoutTarget(
  from: string,
  links: StudioMember['links'],
  target: string,
): StudioMember['links'] | undefined {
  const kinds: Readonly<Record<string, { to: string }>> = LINKS[from.split('/')[0] as Linking]
  const leads = (property: string, id: string) => `${kinds[property]?.to}/${id}` === target
  const left = Object.entries(links).map(([property, ids]) => [
    property,
    ids.filter((id) => !leads(property, id)),
  ])
  const isLinked = Object.entries(links).some(([property, ids]) => ids.some((id) => leads(property, id)))
  return isLinked ? Object.fromEntries(left) : undefined
}

/** What a user is told of a write: `Create /tasks/a`. */
export function eventsOf(state: StudioState, write: StudioWrite, person: Person): string[] {
  let before = state
  return statesOf(state, write).flatMap(([name, after]) => {
    const [was, is] = [sees(before, person, name), sees(after, person, name)]
    const isGone = write.kind === 'remove' && name === write.name
    const type = was ? (is ? 'Update' : 'Delete') : is ? 'Create' : undefined
    const resync = movedBy(name, before.get(name), isGone ? undefined : after.get(name), person)
    before = after
    return [...(resync ? [`Resync /${resync}`] : []), ...(type ? [`${type} /${name}`] : [])]
  })
}

/** The collection whose members came into the user's sight with this change, or left it. */
function movedBy(
  name: string,
  before: StudioMember | undefined,
  after: StudioMember | undefined,
  person: Person,
): string | undefined {
  if (person === 'manager' || before === undefined) return undefined
  const moved = (property: string) =>
    (before.links[property]?.includes(person) === true) !==
    (after?.links[property]?.includes(person) === true)
  if (name.startsWith('projects/') && moved('members')) return 'notes'
  return name.startsWith('folders/') && moved('keeper') ? 'pages' : undefined
}

/** Whether the member is still linked to, by a property that forbids its removal. */
export const isHeld = (state: StudioState, name: string): boolean =>
  [...state].some(
    ([from, { links }]) => from.startsWith('tasks/') && `projects/${links.project?.[0]}` === name,
  )

export function sees(state: StudioState, person: Person, name: string): boolean {
  const member = state.get(name)
  if (member === undefined) return false
  if (person === 'manager') return true
  const { owner, links } = member
  const isNamed = (property: string) => links[property]?.includes(person) === true
  const through = (property: string, to: Linking, account: string) =>
    (links[property] ?? []).some((id) => state.get(`${to}/${id}`)?.links[account]?.includes(person))
  switch (name.split('/')[0] as Linking) {
    case 'projects':
      return isNamed('members')
    case 'folders':
      return false
    case 'tasks':
      return owner === person || isNamed('assignee')
    case 'notes':
      return through('project', 'projects', 'members')
    case 'pages':
      return owner === person || isNamed('reader') || through('folders', 'folders', 'keeper')
  }
}
