import { LinkedMember } from './property-values.tsx'
import type { OtherMembers, PreviewedRemoval } from './removal.ts'

/** Each name that is not known yet takes a request. */
const MOST_NAMED = 3
const MOST_GROUPS = 5

/** What else a removal would do, before it is done. */
export function RemovalList({ removal: { deleted, changed } }: { removal: PreviewedRemoval }) {
  return (
    <>
      {deleted.length > 0 && <Others title="This also deletes:" groups={deleted} />}
      {changed.length > 0 && <Others title="These stay, but lose their link:" groups={changed} />}
    </>
  )
}

const Others = ({ title, groups }: { title: string; groups: readonly OtherMembers[] }) => (
  <div class="warning">
    <p>{title}</p>
    <ul class="bullets">
      {groups.map(({ count, iris }, index) => (
        <li key={count}>
          <strong>{count}</strong>
          {index < MOST_GROUPS && <FirstNames iris={iris} />}
        </li>
      ))}
    </ul>
  </div>
)

function FirstNames({ iris }: Pick<OtherMembers, 'iris'>) {
  const rest = iris.length - MOST_NAMED
  return (
    <span class="soft">
      {': '}
      {iris.slice(0, MOST_NAMED).map((iri, index) => (
        <>
          {index > 0 && ', '}
          <LinkedMember key={iri} iri={iri} />
        </>
      ))}
      {rest > 0 && ` and ${rest.toLocaleString()} more`}
    </span>
  )
}
