import { type Program, readProblem } from '../../api/index.ts'
import { type AuthStore, nameKey } from '../../auth/index.ts'
import { COMMAND_SETTINGS, flagOf, readConfig, SETTINGS } from '../../config/index.ts'
import { isDatabaseProblem } from '../../database/index.ts'
import { classSchemas } from '../../members/conversion/conversion.ts'
import type { EmbeddedService } from '../../service/index.ts'
import type { Store } from '../../store/index.ts'
import { databaseExists } from '../../store/open.ts'
import { amount, count } from '../../text.ts'
import {
  DataError,
  exportMembers,
  type FindUserId,
  importMembers,
  importSentence,
  type Tally,
  unreadSentence,
  withTables,
} from '../../transfer/index.ts'
import { ACCOUNTS, isAccount, type Model, ofData, pathTo } from '../../vocabulary/index.ts'
import { readApiFile } from '../api-file.ts'
import { missingAt, openMigrated, requireUser } from '../database.ts'
import { isDatabaseAddress, readAddress } from '../database-address.ts'
import type { Invocation } from '../invocation.ts'
import { isReplaced, openProgress, STANDARD_STREAM, withOutput } from '../output.ts'
import { commandProblem } from '../problems.ts'
import { limitNewSpace } from '../v8.ts'
import {
  CSV_SETTINGS,
  chooseClass,
  findTyped,
  formatByName,
  fromFile,
  fromTables,
  type ImportSource,
  type OpenSource,
} from './import-source.ts'

/** `hydrant import <api-file> <data>`. Fails if a member was refused. */
export async function importData(call: Invocation, file: string, data: string): Promise<void> {
  limitNewSpace()
  if (!isDatabaseAddress(data)) return importFrom(call, file, fromFile(call, data))
  const { format, encoding } = COMMAND_SETTINGS
  const ofFiles = findTyped(call, [format, encoding, ...CSV_SETTINGS])
  if (ofFiles !== undefined) throw commandProblem('FlagOfFiles', { flag: flagOf(ofFiles) })
  const url = readAddress(data, '<data>')
  await withTables(url, '<data>', (tables) => importFrom(call, file, fromTables(tables, url)))
}

async function importFrom(call: Invocation, file: string, open: OpenSource): Promise<void> {
  const base = call.base()
  const db = call.database()
  const ownerId = call.setting(COMMAND_SETTINGS.owner)
  const asStored = call.setting(COMMAND_SETTINGS.asStored)
  const { program, model: described, served } = await readApiFile(call, file)
  const model = ofData(served)
  const source = await open(model)
  const { shown, name, size } = source
  const linksToAccounts = described.classes.some(isAccount)
  const openWithStore = await prepareService(call, { program, model: served, linksToAccounts })
  const store = await openMigrated(db, classSchemas(served), { verb: 'import', file })
  const service = await openWithStore?.(store)
  let added = 0
  let isElsewhere = false
  try {
    const owner =
      ownerId === undefined
        ? undefined
        : { userId: ownerId, number: (await requireUser(store.auth, ownerId, db)).number }
    const progress = await openProgress(call.io, size)
    for (const part of source.unread) progress.print(`${shown}: ${unreadSentence(part)}`)
    const started = performance.now()
    const tally = await importMembers({
      model,
      owner,
      findUserId: linksToAccounts ? await createFindUserId(store.auth) : undefined,
      asStored,
      hooks: service?.hooks,
      base,
      store: store.members,
      history: store.history,
      userOf: await createUserOf(store.auth),
      ...source.data,
      file: name,
      now: Date.now,
      report({ line, row }, problem) {
        // The suggested address is below the base: perhaps the API is served at another one.
        isElsewhere ||= problem.code === 'InvalidLink' && 'meant' in problem.values
        progress.print(`${shown}:${row === undefined ? line : ` ${row}`}: ${importSentence(problem)}`)
      },
      progress(read, tally) {
        added = tally.added
        progress.update(read, `${amount(added)} added`)
      },
    }).finally(progress.stop)
    const kept = owner === undefined || tally.alreadyThere === 0 ? '' : KEPT_OWNERS
    summariseImport(call, { ...tally, unread: source.unread }, kept, (performance.now() - started) / 1_000)
    if (tally.refused > 0)
      throw commandProblem('MembersRefused', {
        refused: tally.refused,
        kind: source.kind,
        base: isElsewhere ? base : undefined,
        asStored: asStored ?? false,
      })
  } catch (error) {
    if (error instanceof DataError)
      throw commandProblem(
        'InvalidData',
        { reason: importSentence(error) },
        { at: { source: shown, line: error.line } },
      )
    if (!isDatabaseProblem(error)) throw error
    // The database cannot continue right now. Members that were added before this stay.
    throw commandProblem(
      'ImportInterrupted',
      { reason: readProblem(error).sentence, added },
      { cause: error },
    )
  } finally {
    await service?.close()
    await store.close()
  }
}

interface ImportNeeds {
  readonly program: Program
  readonly model: Model
  readonly linksToAccounts: boolean
}

/**
 * Opens a service that runs the hooks of a module, with its own `members`, and keeps the accounts in step with the users;
 * undefined if there are neither hooks nor links to accounts.
 */
async function prepareService(
  { typed, setting, io }: Invocation,
  { program, model, linksToAccounts }: ImportNeeds,
): Promise<((store: Store) => Promise<EmbeddedService>) | undefined> {
  const isHooked = program.hooks !== undefined && setting(COMMAND_SETTINGS.hooks) === true
  if (!isHooked && !linksToAccounts) return undefined
  const { createLog, openService, requireValidHooks } = await import('../../service/index.ts')
  if (isHooked) requireValidHooks(program, model)
  const log = await createLog('pretty', 'info')
  const flags = (['db', 'baseUrl', 'hookTime'] as const).map((name) => [name, typed(SETTINGS[name])])
  // Nothing is served, and HYDRANT_HISTORY may be the one for an export.
  const history = SETTINGS.history.default
  const config = readConfig({ ...Object.fromEntries(flags), history }, io.env)
  const { hooks, operations } = program
  // Followers are called by servers.
  return (store) =>
    openService({ config, model, store, log, ...(isHooked && { program: { hooks, operations } }) })
}

async function createUserOf(store: AuthStore): Promise<(id: number) => number | undefined> {
  const numbers = new Map((await store.listUsers(Date.now())).map(({ id, number }) => [id, number]))
  return (id) => numbers.get(id)
}

/** The addresses of the accounts of users, by their numbers. */
async function createAccountOf(store: AuthStore, base: string) {
  const ids = new Map((await store.listUsers(Date.now())).map(({ id, number }) => [number, id]))
  return (user: number): string | undefined => {
    const id = ids.get(user)
    return id === undefined ? undefined : `${base}${pathTo(ACCOUNTS)}/${id}`
  }
}

async function createFindUserId(store: AuthStore): Promise<FindUserId> {
  const users = await store.listUsers(Date.now())
  const ids = new Map(users.flatMap(({ id, name }) => (name === undefined ? [] : [[nameKey(name), id]])))
  return (name) => ids.get(nameKey(name))
}

/** "No write changes an owner" (access.md, Owners). */
const KEPT_OWNERS = ' Members that were there already keep their owner.'

function summariseImport(
  { say }: Invocation,
  { entries = 0, added, alreadyThere, refused, unread }: Tally & Pick<ImportSource, 'unread'>,
  kept: string,
  seconds: number,
): void {
  const perSecond = Math.round(added / Math.max(seconds, 0.001))
  const nothing = entries + added + alreadyThere + refused === 0 ? ' The data has no members.' : ''
  const remembered =
    entries === 0 ? '' : `${amount(entries)} ${entries === 1 ? 'entry' : 'entries'} of histories, `
  say(
    {
      ...(entries > 0 && { entries }),
      added,
      alreadyThere,
      refused,
      seconds: Number(seconds.toFixed(3)),
      membersPerSecond: perSecond,
      ...(unread.length > 0 && {
        notImported: unread.map(({ table, column }) => (column === undefined ? table : `${table}.${column}`)),
      }),
    },
    `${remembered}${amount(added)} added, ${amount(alreadyThere)} already there, ${amount(refused)} refused, ` +
      `in ${seconds.toFixed(1)} s (${amount(perSecond)} added per second).${nothing}${kept}`,
  )
}

/** `hydrant export <api-file> [data]` */
export async function exportData(call: Invocation, file: string, data = STANDARD_STREAM): Promise<void> {
  const base = call.base()
  const db = call.database()
  const format = call.setting(COMMAND_SETTINGS.format) ?? formatByName(data)
  const named = call.setting(COMMAND_SETTINGS.exportedClass)
  const { served } = await readApiFile(call, file)
  const model = ofData(served)
  const cls = format === 'csv' || named !== undefined ? chooseClass(model, data, named) : undefined
  if (!(await databaseExists(db))) throw commandProblem('NoDatabaseToExport', { missing: missingAt(db) })
  const store = await openMigrated(db, classSchemas(served), { verb: 'export', file })
  try {
    const past = call.setting(COMMAND_SETTINGS.withHistory)
      ? { history: store.history, accountOf: await createAccountOf(store.auth, base) }
      : undefined
    const former = (await isReplaced(data)) ? ', in place of what was there' : ''
    const members = await withOutput(call.io, data, async (write) => {
      const progress = await openProgress(call.io, 0)
      return exportMembers({
        model,
        base,
        store: store.members,
        past,
        format,
        cls,
        spreadsheet: call.setting(COMMAND_SETTINGS.spreadsheet),
        write,
        progress: (written, total) =>
          progress.update(written, `${amount(written)} of ${amount(total)}`, total),
      }).finally(progress.stop)
    })
    const isStandardOutput = data === STANDARD_STREAM
    call.say(
      { members },
      `${count(members, 'member')} written to ${isStandardOutput ? 'standard output' : data}${former}.`,
      // Not to standard output if the members go there.
      isStandardOutput ? call.console.error : call.console.log,
    )
  } finally {
    await store.close()
  }
}
