import type { ClassDescription, Member } from '../../../src/client/index.ts'
import { useApi } from '../../shared/api.ts'
import { nameOf } from '../../shared/names/naming.ts'
import { hrefOf, pathBelow } from '../../shared/routes.ts'
import { Cell, ElsewhereLink, Text } from '../../shared/values/cell.tsx'
import type { Column } from './columns.ts'

interface RowProps {
  readonly member: Member
  readonly cls: ClassDescription | undefined
  readonly columns: readonly Column[]
}

/** A member. Its name leads to its page. */
export function Row({ member, cls, columns }: RowProps) {
  return (
    <tr>
      <th scope="row" dir="auto">
        <Name member={member} cls={cls} />
      </th>
      {columns.map((column) => (
        <td key={column.name} class={column.kind} dir="auto">
          <Cell value={valueAt(member.data, column.name)} column={column} at={member.iri} />
        </td>
      ))}
    </tr>
  )
}

/** A property may be called as something that every object has. */
const valueAt = (data: Member['data'], name: string | undefined): unknown =>
  name !== undefined && Object.hasOwn(data, name) ? data[name] : undefined

function Name({ member, cls }: Omit<RowProps, 'columns'>) {
  const { base } = useApi()
  const name = <Text text={nameOf(member, cls)} />
  const path = pathBelow(base, member.iri)
  if (path === undefined) return <ElsewhereLink iri={member.iri}>{name}</ElsewhereLink>
  return <a href={hrefOf({ page: 'member', path })}>{name}</a>
}

/** Where rows will be: nothing jumps when they come. */
export function EmptyRows({ columns }: { readonly columns: number }) {
  const rows = Array.from({ length: 8 }, (_, index) => index)
  const cells = Array.from({ length: columns }, (_, index) => index)
  return (
    <tbody class="table-waiting" aria-hidden="true">
      {rows.map((row) => (
        <tr key={row}>
          {cells.map((cell) => (
            <td key={cell}>
              <span />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}
