import { collectionTitle, membersWord, useApi } from '../../shared/connection/index.ts'
import { Failure, MemberLink, Status } from '../../shared/controls/index.ts'
import { nameOf } from '../../shared/labels.ts'
import { hrefOf, wordsOf } from '../../shared/names.ts'
import { countInWords, type IncomingGroup } from './incoming.ts'

export function IncomingLinks({ groups }: { groups: readonly IncomingGroup[] }) {
  if (groups.length === 0) return null
  const isWaiting = groups.some(({ busy }) => busy)
  const isNothing = groups.every(({ error, value }) => error === undefined && !value?.members.length)
  return (
    <section class="stack" aria-labelledby="member-incoming">
      <h2 id="member-incoming">What links here</h2>
      <Status class="hint member-status">
        {isWaiting ? 'Looking for links …' : isNothing ? 'Nothing links to it.' : ''}
      </Status>
      {groups.map((group) => (
        <Group key={`${group.collection.iri} ${group.property.name}`} group={group} />
      ))}
    </section>
  )
}

function Group({ group }: { group: IncomingGroup }) {
  const { classes } = useApi().documentation
  const { collection, property, value, error, busy, reload } = group
  const { name, memberClass } = collection
  const { members = [], total, query = '' } = value ?? {}
  if (busy || (error === undefined && members.length === 0)) return null
  return (
    <section class="card member-group">
      <h3>
        {collectionTitle(collection)} <span class="hint">by {wordsOf(property)}</span>
        {value && <span class="badge">{countInWords(total)}</span>}
      </h3>
      {value ? (
        <>
          <ul>
            {members.map((member) => (
              <li key={member.iri}>
                <MemberLink iri={member.iri}>{nameOf(member, memberClass, classes)}</MemberLink>
              </li>
            ))}
          </ul>
          <a class="member-all" href={hrefOf({ page: 'table', name, query })}>
            {total === 1
              ? 'Show it in the table'
              : `Show all ${countInWords(total)} ${membersWord(collection)}`}
          </a>
        </>
      ) : (
        <Failure error={error} onRetry={reload} />
      )}
    </section>
  )
}
