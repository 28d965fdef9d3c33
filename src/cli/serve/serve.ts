import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { type Config, readConfig, SETTINGS } from '../../config/index.ts'
import {
  createLog,
  explainPort,
  hostInUrl,
  importProgram,
  type LogFormat,
  logMigratedElsewhere,
  openConsole,
  openMembers,
  openOps,
  readServed,
  type ServiceParts,
  startService,
} from '../../service/index.ts'
import type { Ops } from '../../service/ops.ts'
import { type AuthStore, shownDatabase } from '../../store/index.ts'
import { hasCollection } from '../../vocabulary/index.ts'
import { commandOn, programName } from '../database.ts'
import type { Invocation } from '../invocation.ts'
import type { ApiProcesses } from '../workers/workers.ts'
import type { FirstUser } from './first-start.ts'
import { warnOfRoles } from './roles.ts'
import { listenForStop, type StopSignals } from './stop-signals.ts'
import { announce } from './welcome.ts'

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url))
const BUNDLED = join(EXAMPLES, 'library.yaml')

/** All that a server has around it while it starts, runs and stops. */
interface Surroundings {
  readonly config: Config & { readonly logFormat: LogFormat }
  readonly log: Logger
  readonly signals: StopSignals
  readonly ops: Ops | undefined
}

/** `hydrant serve [api-file]`: from the API file to the last response. */
export async function serve({ typed, io }: Invocation, file?: string): Promise<void> {
  const flags = Object.entries(SETTINGS).map(([name, setting]) => [name, typed(setting)])
  const config = readConfig(Object.fromEntries(flags), io.env)
  const logFormat = config.logFormat ?? (io.stdout.isTTY ? 'pretty' : 'json')
  // A developer at a terminal sees what arrives; a log that is kept has it at level debug.
  const isWatched = logFormat === 'pretty' && io.stderr.isTTY && config.logLevel === 'info'
  const requestLevel = isWatched ? 'info' : config.requestLevel
  const log = await createLog(logFormat, config.logLevel)
  const signals = listenForStop(log)
  const ops = await openOps(config.ops, log)
  try {
    await serveUntilStopped(file, { config: { ...config, logFormat, requestLevel }, log, signals, ops })
  } catch (error) {
    if (!signals.isLeaving()) throw error
  } finally {
    await ops?.close()
  }
}

async function serveUntilStopped(file: string | undefined, around: Surroundings): Promise<void> {
  const { config, log, signals, ops } = around
  const path = chooseFile(file, log)
  const sample = sampleOf(path)
  const program = config.with === undefined ? undefined : await importProgram(config.with)
  let model = await readServed(path, config, program)
  let store = await openMembers(model, around)
  try {
    if (sample !== undefined) {
      const { addSampleData } = await import('./first-start.ts')
      const filled = addSampleData(sample, model, store)
      // Half of it would be taken for the owner's data at the next start.
      signals.onLeave(() => filled)
      await filled
    }
    const api = await startProcesses({ config, model, store, log, metrics: ops?.metrics, program }, around)
    signals.listening()
    const console = await openConsole(config, api, log)
    const { takeOver } = api
    const watching = takeOver && (await watch(takeOver))
    try {
      // Not before it listens: a paraphrase that is made and then not shown would lock everybody out.
      const firstUser = await ensureUser(store.auth, sample !== undefined, around)
      await admit()
      const collection = model.classes.find(hasCollection)?.collection ?? ''
      const address = `${hostInUrl(config.host)}:${api.port}`
      announce({ base: api.base, address, page: console?.url, collection, firstUser }, config, log)
      const shownFile =
        file === undefined && path === BUNDLED ? 'the bundled library, since there is no api.yaml here' : path
      log.info({ api: shownFile, db: shownDatabase(config.db) }, 'serving')
      const signal = await signals.stopped
      ops?.refuse('it is stopping')
      log.info({ signal }, 'stopping; requests in flight are finished')
    } finally {
      await watching?.close()
      await Promise.all([console?.close(), api.close()])
    }

    async function admit(): Promise<void> {
      if (config.mode !== 'open') await warnOfRoles(model, store.auth, around)
      ops?.admit({ reachable: store.reachable, lacking: api.lacking, metrics: api.metrics })
    }

    async function watch(takeOver: NonNullable<ApiProcesses['takeOver']>) {
      const { tellModelChange, watchFiles } = await import('./watch.ts')
      const files = [path, ...(config.access === undefined ? [] : [config.access])]
      return watchFiles(files, log, async () => {
        const next = await readServed(path, config, program)
        const changes = tellModelChange(model, next)
        if (changes === undefined) return undefined
        const former = store
        try {
          await takeOver(async () => {
            store = await openMembers(next, around)
            return { model: next, store }
          })
        } catch (error) {
          if (store !== former) await store.close()
          store = former
          throw error
        }
        model = next
        await former.close()
        await admit()
        return changes
      })
    }
  } finally {
    await store.close()
  }
}

/** A file that was asked for is never replaced by another one. */
function chooseFile(file: string | undefined, log: Logger): string {
  if (file !== undefined) return file
  if (existsSync('api.yaml')) return 'api.yaml'
  const other = ['api.yml', 'api.json'].find(existsSync)
  if (other !== undefined)
    log.warn(`${other} is not served unless it is named: ${programName()} serve ${other}`)
  return BUNDLED
}

/** The data that comes with an example of ours. */
function sampleOf(path: string): string | undefined {
  const sample = resolve(path).replace(/\.yaml$/, '.ndjson')
  return dirname(sample) === EXAMPLES && existsSync(sample) ? sample : undefined
}

/** Requests are answered by this process, or by several. */
async function startProcesses(
  parts: ServiceParts,
  { config, log, signals, ops }: Surroundings,
): Promise<ApiProcesses> {
  if (config.workers > 1) {
    const { startWorkers } = await import('../workers/workers.ts')
    const { model } = parts
    const onMigratedElsewhere = () => logMigratedElsewhere(log, ops)
    return startWorkers({ config, model, log, onMigratedElsewhere, onLeave: signals.onLeave })
  }
  return { ...(await explainPort(config, () => startService(parts))), lacking: () => undefined }
}

/** There is no default password: either a random one is shown once, or nobody can sign in yet. */
async function ensureUser(
  store: AuthStore,
  isBundled: boolean,
  { config: { mode, db }, log }: Surroundings,
): Promise<FirstUser | undefined> {
  if (mode === 'open') {
    log.warn('authentication is off: everybody may read and write')
    return undefined
  }
  if ((await store.listUsers(Date.now())).length > 0) return undefined
  if (isBundled || process.stdout.isTTY) return (await import('./first-start.ts')).addFirstUser(store)
  const remedy =
    db === 'sqlite::memory:'
      ? 'no other command reaches a database in memory; name a file with --db sqlite:<path>'
      : `add one with: ${commandOn(db, 'user add 1')}`
  log.warn(`there is no user, so nobody can sign in; ${remedy}`)
  return undefined
}
