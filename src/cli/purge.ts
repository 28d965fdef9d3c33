import { createInterface } from 'node:readline/promises'
import { COMMAND_SETTINGS } from '../config/index.ts'
import { classSchemas } from '../members/conversion.ts'
import type { ClassSchema } from '../members/index.ts'
import { type HiddenData, listHidden, purgeHidden } from '../members/migration/purge.ts'
import { explainOpenFailure } from '../service/database.ts'
import { compact, databaseExists, maintain } from '../store/open.ts'
import { amount, count } from '../text.ts'
import { readApiFile } from './api-file.ts'
import { explainNotMigrated, missingAt, openMigrated } from './database.ts'
import { table } from './formats.ts'
import type { Invocation } from './invocation.ts'
import { commandProblem } from './problems.ts'

/** `hydrant purge <api-file>` (model.md): lists what the file hides, or removes it. */
export function purge(call: Invocation, file: string): Promise<void> {
  const db = call.database()
  return explainNotMigrated(db, { verb: 'purge', file }, () => purgeIn(db, call, file))
}

async function purgeIn(db: string, call: Invocation, file: string): Promise<void> {
  const { served } = await readApiFile(call, file)
  const shapes = classSchemas(served)
  if (!(await databaseExists(db))) throw commandProblem('NoDatabaseToExport', { missing: missingAt(db) })
  // What is hidden is known once the members are stored under this file.
  await (await openMigrated(db, shapes, { verb: 'purge', file })).close()
  const all = await hiddenIn(db, shapes)
  // Without a name, the flag stands for everything that is hidden.
  const asked = call.typed(COMMAND_SETTINGS.hidden) ?? call.setting(COMMAND_SETTINGS.hidden)
  if (asked === undefined) {
    call.say({ hidden: all.map(asJson) }, describe(all))
    return
  }
  const chosen = typeof asked === 'string' ? choose(all, asked) : all
  if (chosen.length > 0) await confirm(call, chosen)
  await remove(db, shapes, chosen)
  if (call.setting(COMMAND_SETTINGS.compact)) await explainOpenFailure(db, () => compact(db))
  call.say({ removed: chosen.map(asJson) }, chosen.length === 0 ? NOTHING : `Removed:\n${lines(chosen)}`)
}

const NOTHING = 'The API file hides nothing that is stored.'

const hiddenIn = (db: string, shapes: readonly ClassSchema[]): Promise<readonly HiddenData[]> =>
  explainOpenFailure(db, () => maintain(db, 'read', (store) => listHidden(store, shapes)))

const nameOf = ({ className, property }: HiddenData): string =>
  property === undefined ? className : `${className}.${property}`

/** A class, with all that is hidden of it, or one property. */
function choose(all: readonly HiddenData[], name: string): readonly HiddenData[] {
  const chosen = all.filter((one) => one.className === name || nameOf(one) === name)
  if (chosen.length > 0) return chosen
  throw commandProblem('NothingHidden', { name, known: all.map(nameOf) }, { at: { source: '--hidden' } })
}

/**
 * Properties first: their links may lead to members of a class that is removed too. A server that was writing a member
 * while its class was purged has written the hidden values of that member back, so it is looked at again.
 */
async function remove(
  db: string,
  shapes: readonly ClassSchema[],
  chosen: readonly HiddenData[],
): Promise<void> {
  const names = new Set(chosen.map(nameOf))
  const isClass = ({ property }: HiddenData) => property === undefined
  for (let round = 0; round < 3; round++) {
    const left = round === 0 ? chosen : (await hiddenIn(db, shapes)).filter((one) => names.has(nameOf(one)))
    const ordered = [...left.filter((one) => !isClass(one)), ...left.filter(isClass)]
    for (const [className, ofClass] of Map.groupBy(ordered, (one) => one.className)) {
      const links = await explainOpenFailure(db, () =>
        maintain(db, 'write', (store) => purgeHidden(store, className, ofClass)),
      )
      if (links.length > 0) throw commandProblem('HiddenLinksThere', { className, links })
    }
    if (left.length === 0) return
  }
}

async function confirm({ io, setting }: Invocation, chosen: readonly HiddenData[]): Promise<void> {
  if (setting(COMMAND_SETTINGS.yes)) return
  if (!io.stdin.isTTY) throw commandProblem('YesNeeded')
  io.stderr.write(`This removes for good:\n${lines(chosen)}\n`)
  const reader = createInterface({ input: io.stdin, output: io.stderr })
  const answer = await reader.question('Remove it? [y/N] ').finally(() => reader.close())
  if (!/^y(?:es)?$/i.test(answer.trim())) throw commandProblem('Cancelled')
}

const describe = (all: readonly HiddenData[]): string =>
  all.length === 0
    ? NOTHING
    : [
        'Stored, but not shown by the API file:',
        table(
          ['what', 'members'],
          all.map((one) => [nameOf(one), amount(one.members)]),
        ),
        'Put them back into the file to see them again, or remove them with --hidden.',
      ].join('\n')

const lines = (chosen: readonly HiddenData[]): string =>
  chosen
    .map((one) =>
      one.property === undefined
        ? `  ${one.className}: ${count(one.members, 'member')}`
        : `  ${nameOf(one)} of ${count(one.members, 'member')}`,
    )
    .join('\n')

const asJson = ({ className, property, members }: HiddenData): object => ({
  class: className,
  ...(property !== undefined && { property }),
  members,
})
