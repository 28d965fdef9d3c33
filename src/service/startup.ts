// The start of a service: loads the API file, opens the database, and logs what happens to it.
import type { Program } from '../api/index.ts'
import type { Config } from '../config/index.ts'
import type { FileLoss } from '../database/index.ts'
import { classSchemas } from '../members/conversion/conversion.ts'
import type { Store, StoreOptions } from '../store/index.ts'
import { readApiFile } from '../vocabulary/api-file.ts'
import { hasRules, type Model, withAccounts, withoutAccounts } from '../vocabulary/index.ts'
import { changeAsJson, describeChange, hidesData, openDatabase, warnOfFileModes } from './database.ts'
import type { Log } from './log.ts'
import type { Ops } from './ops.ts'
import { startProblem } from './problems/start.ts'
import { requireValidProgram } from './program.ts'
import { listWebhooks } from './webhooks.ts'

/** The model of a file, or a given one, with the program checked against it. */
export async function loadModel(
  from: string | Model,
  config: Pick<Config, 'access' | 'mode' | 'webhooks' | 'webhookHosts'>,
  program: Program = {},
): Promise<Model> {
  const model =
    typeof from === 'string' ? (await readApiFile(from, config.access, program.operations)).model : from
  requireValidProgram(program, model)
  // They are read again when the API is opened, in this process or in several.
  await listWebhooks(config, model, program)
  // With authentication off, users cannot be told apart (access.md, In the API file).
  if (config.mode !== 'open') return withAccounts(model)
  if (hasRules(model))
    throw startProblem('RulesWithoutUsers', {
      file: config.access ?? (typeof from === 'string' ? from : undefined),
    })
  return withoutAccounts(model)
}

interface StartupContext {
  readonly config: Pick<Config, 'db' | 'scanMs' | 'migrate'>
  readonly log: Log
  readonly ops: Ops | undefined
}

/** Log messages about what has happened to the file. */
const LOSSES: Readonly<Record<FileLoss, string>> = {
  replaced: 'the database file was replaced, removed or written over',
  upgraded: 'the database was upgraded by a newer version of Hydrant',
}

/** An opening that takes longer is logged. */
const OPENING_MS = 1_000

/** How often the progress of a migration is logged. */
const PROGRESS_MS = 5_000

/** Opens the database and migrates its members to the API file. Changes, and later events, are logged. */
export async function migrateAndOpen(model: Model, { config, log, ops }: StartupContext): Promise<Store> {
  let loggedAt = 0
  const waiting = setTimeout(
    () =>
      log.warn(
        {},
        'still opening the database; another process may be migrating the members to its API file',
      ),
    OPENING_MS,
  )
  const store = await openDatabase(config.db, classSchemas(model), {
    scanMs: config.scanMs,
    isCompatibleOnly: config.migrate === 'compatible',
    onMigrate: (className, total) => {
      clearTimeout(waiting)
      log.info({ class: className, members: total }, 'migrating the members to this API file')
      loggedAt = performance.now()
    },
    onProgress: (className, done, total) => {
      if (done === total || performance.now() - loggedAt < PROGRESS_MS) return
      log.info({ class: className, done, members: total }, 'still migrating the members')
      loggedAt = performance.now()
    },
    onMigrated: (changes) => {
      for (const change of changes)
        log[hidesData(change) ? 'warn' : 'info'](changeAsJson(change), describeChange(change))
    },
    onMigratedElsewhere: () => logMigratedElsewhere(log, ops),
    onReplaced: (loss) => {
      ops?.setNotReady(LOSSES[loss])
      log.error({}, `${LOSSES[loss]} while it was served: requests get 503; restart this server`)
    },
    ...logReachability(log),
  }).finally(() => clearTimeout(waiting))
  warnOfFileModes(config.db, (sentence) => log.warn({}, sentence))
  return store
}

export function logMigratedElsewhere(log: Log, ops: Ops | undefined): void {
  ops?.setNotReady('another process has opened the database with another API file')
  log.warn(
    {},
    'another process has opened the database with another API file: requests get 503; restart this server with that file',
  )
}

/** Logs whether a database across a network can be reached. */
export const logReachability = (
  log: Log,
): Pick<StoreOptions, 'onUnreachable' | 'onReachable' | 'onReplica'> => ({
  onUnreachable: (reason) =>
    log.warn({ reason }, 'the database cannot be reached: requests that need it get 503 until it answers'),
  onReachable: () => log.info({}, 'the database answers again'),
  onReplica: (replica, reason) =>
    reason === undefined
      ? log.info({ replica }, 'a replica can be read from')
      : log.warn({ replica, reason }, 'a replica cannot be read from: the primary is, until it can'),
})
