import { COMMAND_SETTINGS } from '../../config/index.ts'
import {
  countEntries,
  type EntryCount,
  type EntrySelection,
  purgeEntries,
} from '../../members/migration/purge.ts'
import { explainOpenFailure } from '../../service/database.ts'
import { maintain } from '../../store/open.ts'
import { commandProblem } from '../problems.ts'
import { entryCount, type Purge } from './ends.ts'

/** `hydrant purge <api-file> --history [Class[/id]] [--before <date>]`. */
export async function purgeHistory({ call, db, confirm, finish }: Purge): Promise<void> {
  const { purgedHistory, before } = COMMAND_SETTINGS
  const asked = {
    ...readName(call.typed(purgedHistory) ?? call.setting(purgedHistory)),
    before: call.setting(before),
  }
  const read = (selection: EntrySelection) =>
    explainOpenFailure(db, () => maintain(db, 'read', (store) => countEntries(store, selection)))
  const { className, id } = asked
  const counted = await read(asked)
  if (counted.length === 0 && className !== undefined) {
    const known = (await read({})).map((one) => one.className)
    throw commandProblem('NoHistory', { name: className, known }, { at: { source: '--history' } })
  }
  const found = counted.filter(({ entries }) => entries > 0)
  const lines = found.map((one) => `  ${nameOf(one, id)}: ${entryCount(one.entries)}`).join('\n')
  if (found.length > 0) await confirm(lines)
  for (const one of found)
    while (
      (await explainOpenFailure(db, () =>
        maintain(db, 'write', (store) => purgeEntries(store, { ...asked, className: one.className })),
      )) > 0
    );
  await finish(
    found.map(({ className, entries }) => ({ class: className, ...(id !== undefined && { id }), entries })),
    found.length === 0 ? 'There are no such entries.' : `Removed:\n${lines}`,
  )
}

/** Without a name, the flag stands for all entries. No class has a slash in its name. */
function readName(name: string | boolean | undefined): Pick<EntrySelection, 'className' | 'id'> {
  if (typeof name !== 'string') return {}
  const slash = name.indexOf('/')
  return slash < 0 ? { className: name } : { className: name.slice(0, slash), id: name.slice(slash + 1) }
}

const nameOf = ({ className }: EntryCount, id: string | undefined): string =>
  `history of ${id === undefined ? className : `${className}/${id}`}`
