import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import type { Logger } from 'pino'
import { type Config, misspeltVariables, readConfig, SETTINGS } from '../../config/index.ts'
import { shownDatabase } from '../../database/index.ts'
import { FIRST_MEMBER } from '../../members/index.ts'
import {
  createLog,
  explainPort,
  fitConnections,
  hostInUrl,
  importProgram,
  loadModel,
  logMigratedElsewhere,
  migrateAndOpen,
  openConsole,
  openOps,
  type Service,
  type ServiceDependencies,
  startService,
  surviveRejections,
} from '../../service/index.ts'
import type { MetricsText } from '../../service/metrics/metrics.ts'
import type { Ops } from '../../service/ops.ts'
import type { Store } from '../../store/index.ts'
import { hasCollection, type Model, storedClasses } from '../../vocabulary/index.ts'
import { programName } from '../database.ts'
import type { Invocation } from '../invocation.ts'
import { commandProblem } from '../problems.ts'
import { limitNewSpace } from '../v8.ts'
import type { WatchedFiles } from './file-watch.ts'
import { addSampleData, BUNDLED, sampleOf } from './sample-data.ts'
import { listenForStop, type StopSignals } from './stop-signals.ts'
import type { Served } from './watch.ts'
import { ensureUser, logOpen, printWelcome, warnOfRoles } from './welcome.ts'

/** Dependencies of a server while it starts, runs and stops. */
interface ServerContext {
  readonly config: Config
  readonly log: Logger
  readonly signals: StopSignals
  readonly ops: Ops | undefined
}

/** `hydrant serve [api-file]`: runs a server, from reading the API file to the last response. */
export async function serve({ typed, io }: Invocation, file?: string): Promise<void> {
  limitNewSpace()
  if (file !== undefined && io.env.npm_lifecycle_event === 'start') requireFileName(file)
  const flags = Object.entries(SETTINGS).map(([name, setting]) => [name, typed(setting)])
  const config = readConfig(Object.fromEntries(flags), io.env)
  const logFormat = config.logFormat ?? (io.stdout.isTTY ? 'pretty' : 'json')
  // A developer at a terminal sees each request; a log file has them at level debug.
  const isWatched = logFormat === 'pretty' && io.stderr.isTTY && config.logLevel === 'info'
  const requestLevel = isWatched ? 'info' : config.requestLevel
  const log = await createLog(logFormat, config.logLevel)
  // Only the name is logged: the value may be a secret.
  for (const { name, meant } of misspeltVariables(io.env))
    log.warn(`the variable ${name} is not known and changes nothing; did you mean ${meant}?`)
  const signals = listenForStop(log)
  const ops = await openOps(config.ops, log)
  try {
    const fitted = { ...fitConnections(config, log), logFormat, requestLevel }
    await serveUntilStopped(file, { config: fitted, log, signals, ops })
  } catch (error) {
    if (!signals.isExiting()) throw error
  } finally {
    await ops?.close()
  }
}

/** With `npm start --port 9000`, npm takes the flag for its own, and passes on only the value. */
function requireFileName(file: string): void {
  if (extname(file) !== '' || existsSync(file)) return
  throw commandProblem('NotAnApiFile', { file })
}

async function serveUntilStopped(file: string | undefined, context: ServerContext): Promise<void> {
  const { config, log, signals, ops } = context
  const path = chooseFile(file, log)
  const sample = sampleOf(path)
  const files = config.watch ? await watchFrom(path, context) : undefined
  const watched = files && { onFile: files.add, longestMs: config.hookMs }
  const program = config.with === undefined ? undefined : await importProgram(config.with, watched)
  surviveRejections(log)
  const model = await loadModel(path, config, program)
  let served: Served = { model, store: await migrateAndOpen(model, context), program }
  try {
    if (sample !== undefined) {
      const filled = addSampleData(sample, model, served.store)
      // A half-filled database would be taken for the owner's data at the next start.
      signals.beforeExit(() => filled)
      await filled
    }
    const api = await startProcesses({ config, ...served, log, metrics: ops?.metrics }, context)
    signals.listening()
    const console = await openConsole(config, api, log)
    const { takeOver } = api
    const watching = takeOver && files && (await watch(takeOver, files))
    try {
      // Only once the server listens: a paraphrase that is set but never shown would lock everybody out.
      const roles = model.access?.roles ?? []
      const paraphrase = await ensureUser(
        served.store.auth,
        { isBundled: sample !== undefined, roles },
        context,
      )
      await admit()
      const collection = model.classes.find(hasCollection)?.collection ?? ''
      const address = `${hostInUrl(config.host)}:${api.port}`
      printWelcome({ base: api.base, address, page: console?.url, collection, paraphrase }, context)
      const shownFile =
        file === undefined && path === BUNDLED ? 'the bundled library, since there is no api.yaml here' : path
      log.info({ api: shownFile, db: shownDatabase(config.db) }, 'serving')
      const signal = await signals.stopped
      ops?.setNotReady('it is stopping')
      log.info({ signal }, 'stopping; requests in flight are finished')
    } finally {
      await watching?.close()
      await Promise.all([console?.close(), api.close()])
    }

    async function admit(): Promise<void> {
      if (config.mode !== 'open') {
        await warnOfRoles(served.model, served.store.auth, context)
        logOpen(served.model, context)
      }
      ops?.setReady({ reachable: served.store.reachable, problem: api.problem, metrics: api.metrics })
    }

    async function watch(takeOver: NonNullable<ApiProcesses['takeOver']>, files: WatchedFiles) {
      const { watchServed } = await import('./watch.ts')
      const openStore = (model: Model) => migrateAndOpen(model, context)
      return watchServed({ path, config, log, files, takeOver, current: () => served, openStore, onApplied })
    }

    async function onApplied(next: Served): Promise<void> {
      const former = served
      served = next
      await former.store.close()
      await admit()
      for (const name of await findReturned(former.model, next.model, next.store))
        log.info(`${name} is back in the file; its members are shown again.`)
      const { describeNewlyBroken } = await import('./newly-broken.ts')
      const applied = { former: former.model, model: next.model, store: next.store, db: config.db }
      for (const line of await describeNewlyBroken(applied)) log.warn(line)
    }
  } finally {
    await served.store.close()
  }
}

/** Files are watched before they are read, so that no change is missed. */
async function watchFrom(path: string, { config, log }: ServerContext): Promise<WatchedFiles> {
  const [{ createFileWatch }, { filesToWatch }] = await Promise.all([
    import('./file-watch.ts'),
    import('./watch.ts'),
  ])
  const files = createFileWatch(log)
  for (const file of filesToWatch(path, config)) files.add(file)
  return files
}

/** If a file was named, no other file is served instead. */
function chooseFile(file: string | undefined, log: Logger): string {
  if (file !== undefined) return file
  if (existsSync('api.yaml')) return 'api.yaml'
  const other = ['api.yml', 'api.json'].find(existsSync)
  if (other !== undefined)
    log.warn(`${other} is not served unless it is named: ${programName()} serve ${other}`)
  return BUNDLED
}

/** Classes that the previous file did not have, and whose members were hidden until now. */
async function findReturned(former: Model, model: Model, store: Store): Promise<string[]> {
  const known = new Set(former.classes.map(({ name }) => name))
  const back: string[] = []
  for (const { name, formerName } of storedClasses(model)) {
    // The members of a renamed class were there under its former name.
    if (known.has(name) || (formerName !== undefined && known.has(formerName))) continue
    if ((await store.members.list(name, FIRST_MEMBER)).members.length > 0) back.push(name)
  }
  return back
}

/** The processes that answer requests, as one service. */
interface ApiProcesses extends Service {
  /** The reason why no request is answered; undefined while at least one process listens. */
  readonly problem: () => string | undefined
  /** The metrics of all workers together; undefined if this process is the only one. */
  readonly metrics?: () => Promise<MetricsText>
}

/** Requests are answered by this process, or by several. */
async function startProcesses(
  dependencies: ServiceDependencies,
  { config, log, signals, ops }: ServerContext,
): Promise<ApiProcesses> {
  if (config.workers > 1) {
    const { startWorkers } = await import('../workers/workers.ts')
    const { model } = dependencies
    const onMigratedElsewhere = () => logMigratedElsewhere(log, ops)
    return startWorkers({ config, model, log, onMigratedElsewhere, beforeExit: signals.beforeExit })
  }
  return { ...(await explainPort(config, () => startService(dependencies))), problem: () => undefined }
}
