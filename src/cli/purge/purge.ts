import { COMMAND_SETTINGS, type Setting } from '../../config/index.ts'
import { classSchemas } from '../../members/conversion/conversion.ts'
import { databaseExists } from '../../store/open.ts'
import { readApiFile } from '../api-file.ts'
import { explainNotMigrated, missingAt, openMigrated } from '../database.ts'
import type { Invocation } from '../invocation.ts'
import { commandProblem } from '../problems.ts'
import { createEnds } from './ends.ts'

/** `hydrant purge <api-file>` (model.md, history.md): lists what the file hides, or removes data for good. */
export function purge(call: Invocation, file: string): Promise<void> {
  const db = call.database()
  return explainNotMigrated(db, { verb: 'purge', file }, () => purgeIn(db, call, file))
}

async function purgeIn(db: string, call: Invocation, file: string): Promise<void> {
  const { purgedHistory, purgedMember, before } = COMMAND_SETTINGS
  const asked = whatToPurge(call)
  if (call.typed(before) !== undefined && asked !== purgedHistory) throw commandProblem('BeforeOfHistory')
  const { served: model } = await readApiFile(call, file)
  const shapes = classSchemas(model)
  if (!(await databaseExists(db))) throw commandProblem('NoDatabaseToExport', { missing: missingAt(db) })
  // What is hidden is known once the members are stored under this file.
  await (await openMigrated(db, shapes, { verb: 'purge', file })).close()
  const work = { call, db, file, model, shapes, ...createEnds(call, db, file) }
  if (asked === purgedHistory) await (await import('./history.ts')).purgeHistory(work)
  else if (asked === purgedMember) await (await import('./member.ts')).purgeMember(work)
  else await (await import('./hidden.ts')).purgeOrList(work)
}

/** The flag that says what to remove; variables only count if there is none. Undefined to list what is hidden. */
function whatToPurge(call: Invocation): Setting<unknown> | undefined {
  const { hidden, purgedHistory, purgedMember } = COMMAND_SETTINGS
  const all: readonly Setting<unknown>[] = [hidden, purgedHistory, purgedMember]
  const typed = all.filter((one) => call.typed(one) !== undefined)
  const asked = typed.length > 0 ? typed : all.filter((one) => call.setting(one) !== undefined)
  if (asked.length > 1) throw commandProblem('OnePurge')
  return asked[0]
}
