import { COMMAND_SETTINGS } from '../../config/index.ts'
import type { ClassSchema } from '../../members/index.ts'
import {
  countEntries,
  type EntryCount,
  type HiddenData,
  listHidden,
  purgeHidden,
} from '../../members/migration/purge.ts'
import { explainOpenFailure } from '../../service/database.ts'
import { maintain } from '../../store/open.ts'
import { amount, count } from '../../text.ts'
import { table } from '../formats.ts'
import { commandProblem } from '../problems.ts'
import { entryCount, type Purge } from './ends.ts'

/** Without --hidden, lists what the API file hides. */
export async function purgeOrList({
  call,
  db,
  shapes,
  confirm,
  compactIfAsked,
  finish,
}: Purge): Promise<void> {
  const all = await hiddenIn(db, shapes)
  // Without a name, the flag stands for everything that is hidden.
  const asked = call.typed(COMMAND_SETTINGS.hidden) ?? call.setting(COMMAND_SETTINGS.hidden)
  if (asked === undefined) {
    const histories = await hiddenHistories(db, shapes)
    await compactIfAsked()
    const listed = histories.map(({ className, entries }) => ({ class: className, entries }))
    call.say(
      { hidden: all.map(asJson), ...(histories.length > 0 && { histories: listed }) },
      [describe(all), ...histories.map(describeHistory)].join('\n'),
    )
    return
  }
  const chosen = typeof asked === 'string' ? choose(all, asked) : all
  if (chosen.length > 0) await confirm(lines(chosen))
  await remove(db, shapes, chosen)
  await finish(chosen.map(asJson), chosen.length === 0 ? NOTHING : `Removed:\n${lines(chosen)}`)
}

/** Entries of classes that the API file keeps no history of; those of hidden classes go with the class. */
async function hiddenHistories(db: string, shapes: readonly ClassSchema[]): Promise<readonly EntryCount[]> {
  const counted = await explainOpenFailure(db, () => maintain(db, 'read', (store) => countEntries(store, {})))
  const isKept = (className: string) => shapes.find(({ name }) => name === className)?.history !== undefined
  return counted.filter(({ className, entries }) => entries > 0 && !isKept(className))
}

const describeHistory = ({ className, entries }: EntryCount): string =>
  `The history of ${className} is kept, but not shown: ${entryCount(entries)}. Remove it with --history ${className}.`

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
        maintain(db, 'write', (store) => purgeHidden(store, className, ofClass, shapes)),
      )
      if (links.length > 0) throw commandProblem('HiddenLinksThere', { className, links })
    }
    if (left.length === 0) return
  }
}

const describe = (all: readonly HiddenData[]): string =>
  all.length === 0
    ? NOTHING
    : [
        'Stored, but not shown by the API file:',
        all.some(({ entries }) => entries !== undefined)
          ? table(
              ['what', 'members', 'entries'],
              all.map((one) => [nameOf(one), amount(one.members), amount(one.entries ?? 0)]),
            )
          : table(
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
        : `  ${nameOf(one)} of ${count(one.members, 'member')}${ofEntries(one)}`,
    )
    .join('\n')

const ofEntries = ({ entries }: HiddenData): string =>
  entries === undefined ? '' : ` and ${entryCount(entries)} of their history`

const asJson = ({ className, property, members, entries }: HiddenData): object => ({
  class: className,
  ...(property !== undefined && { property }),
  members,
  ...(entries !== undefined && { entries }),
})
