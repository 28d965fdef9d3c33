import { useApi } from '../../shared/api.ts'
import { Failure } from '../../shared/controls/page.tsx'
import { useRemembering } from '../../shared/names/member-names.ts'
import { capitalised, inWords, nameOf } from '../../shared/names/naming.ts'
import { hrefOf, pathBelow } from '../../shared/routes.ts'
import { countInWords, type IncomingGroup, type IncomingMembers } from './incoming.ts'

/** What links to a member: of each class that can, the first few and how many there are. */
export function IncomingLinks({ groups }: { readonly groups: readonly IncomingGroup[] }) {
  if (groups.length === 0) return null
  const isWaiting = groups.some(({ state }) => state === 'waiting')
  const isNothing = groups.every(({ state, found }) => state === 'done' && !found?.members.length)
  return (
    <section class="member-incoming" aria-labelledby="member-incoming">
      <h2 id="member-incoming">What links to it</h2>
      <p class="hint member-status" role="status">
        {isWaiting ? 'Looking for what links to it …' : isNothing ? 'Nothing links to it.' : ''}
      </p>
      {groups.map((group) => (
        <Group key={`${group.collection.iri} ${group.property.iri}`} group={group} />
      ))}
    </section>
  )
}

function Group({ group }: { readonly group: IncomingGroup }) {
  const { collection, property, state, found, error, retry } = group
  if (state === 'waiting' || (state === 'done' && !found?.members.length)) return null
  const title = capitalised(inWords(collection.name))
  return (
    <section class="card member-group">
      <h3>
        {title} <span class="hint">by {inWords(property.name)}</span>
        {found && <span class="badge">{countInWords(found.total)}</span>}
      </h3>
      {found ? <Found found={found} group={group} /> : <Failure error={error} onRetry={retry} />}
    </section>
  )
}

interface FoundProps {
  readonly found: IncomingMembers
  readonly group: IncomingGroup
}

function Found({ found: { members, total, query }, group: { collection } }: FoundProps) {
  const { base } = useApi()
  useRemembering(members, collection.memberClass)
  return (
    <>
      <ul>
        {members.map((member) => {
          const path = pathBelow(base, member.iri)
          const name = nameOf(member, collection.memberClass)
          return (
            <li key={member.iri}>
              {path === undefined ? name : <a href={hrefOf({ page: 'member', path })}>{name}</a>}
            </li>
          )
        })}
      </ul>
      <a class="member-all" href={hrefOf({ page: 'table', name: collection.name, query })}>
        {total === 1 ? 'Show it in the table' : `Show all ${countInWords(total)} ${inWords(collection.name)}`}
      </a>
    </>
  )
}
