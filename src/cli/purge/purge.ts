import { COMMAND_SETTINGS } from '../../config/index.ts'
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
  const { hidden, purgedHistory, purgedMember, before } = COMMAND_SETTINGS
  const asked = [hidden, purgedHistory, purgedMember].filter((one) => call.typed(one) !== undefined)
  if (asked.length > 1) throw commandProblem('OnePurge')
  if (call.typed(before) !== undefined && asked[0] !== purgedHistory) throw commandProblem('BeforeOfHistory')
  const { served: model } = await readApiFile(call, file)
  const shapes = classSchemas(model)
  if (!(await databaseExists(db))) throw commandProblem('NoDatabaseToExport', { missing: missingAt(db) })
  // What is hidden is known once the members are stored under this file.
  await (await openMigrated(db, shapes, { verb: 'purge', file })).close()
  const work = { call, db, file, model, shapes, ...createEnds(call, db, file) }
  if (asked[0] === purgedHistory) await (await import('./history.ts')).purgeHistory(work)
  else if (asked[0] === purgedMember) await (await import('./member.ts')).purgeMember(work)
  else await (await import('./hidden.ts')).purgeOrList(work)
}
