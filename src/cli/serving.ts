import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { shapesOf } from '../members/shapes.ts'
import type { Text } from '../service/ops/server.ts'
import { type Service, type ServiceParts, startService } from '../service/service.ts'
import { type AuthStore, shownDatabase } from '../store/store.ts'
import { hasCollection } from '../vocabulary/model.ts'
import { readApiFile } from '../vocabulary/read.ts'
import { COMMAND } from './command-name.ts'
import type { ServedConsole } from './console.ts'
import { commandOn, openDatabase, warnOfReaders } from './database.ts'
import { isLoss, reportChange, tellChange } from './database-changes.ts'
import { tellReach } from './database-reach.ts'
import { addFirstUser, type FirstUser } from './first-user.ts'
import { explainListening } from './listening.ts'
import { createLog, type LogFormat } from './log.ts'
import type { Ops } from './ops.ts'
import { addSampleData } from './sample-data.ts'
import { listenForStop, type Stopping } from './stopping.ts'
import { announce } from './welcome.ts'

const BUNDLED = fileURLToPath(new URL('../../examples/library.yaml', import.meta.url))

/** Most databases are open by then. */
const OPENING_MS = 1_000

/** From the API file to the last response. */
export async function serveUntilStopped(file: string | undefined, config: Config): Promise<void> {
  const format = config.logFormat ?? (process.stdout.isTTY ? 'pretty' : 'json')
  const log = createLog(format, config.logLevel)
  const stopping = listenForStop(log)
  const ops = await openOps(config, log)
  try {
    await serveWith(file, { ...config, logFormat: format }, { log, stopping, ops })
  } catch (error) {
    if (!stopping.isLeaving()) throw error
  } finally {
    await ops?.close()
  }
}

interface Surroundings {
  readonly log: Logger
  readonly stopping: Stopping
  readonly ops: Ops | undefined
}

async function serveWith(
  file: string | undefined,
  config: Config & { readonly logFormat: LogFormat },
  { log, stopping, ops }: Surroundings,
): Promise<void> {
  const path = chooseFile(file, log)
  const model = await readApiFile(path)
  const onOvertaken = () => {
    ops?.refuse('another process has opened the database with another API file')
    log.warn(
      'another process has opened the database with another API file: requests get 503; restart this server with that file',
    )
  }
  const onReplaced = () => {
    ops?.refuse('the database file was replaced, removed or written over')
    log.error(
      'the database file was replaced, removed or written over while it was served: requests get 503; restart this server',
    )
  }
  const patience = tellWaiting(log)
  const store = await openDatabase(config.db, shapesOf(model), {
    scanMs: config.scanMs,
    onAdopt: (className, total) => {
      clearTimeout(patience)
      log.info({ class: className, members: total }, 'the members are brought under this API file')
    },
    onAdopted: (changes) => {
      for (const change of changes)
        log[isLoss(change) ? 'warn' : 'info'](reportChange(change), tellChange(change))
    },
    onOvertaken,
    onReplaced,
    ...tellReach(log),
  }).finally(() => clearTimeout(patience))
  warnOfReaders(config.db, (sentence) => log.warn(sentence))
  try {
    const bundled = path === BUNDLED
    if (bundled) {
      const filled = addSampleData(path.replace(/\.yaml$/, '.ndjson'), model, store)
      // Half of it would be taken for somebody's data at the next start.
      stopping.onLeave(() => filled)
      await filled
    }
    const parts = { config, model, store, log, metrics: ops?.metrics }
    const service = config.workers > 1 ? await startMany(parts, onOvertaken, stopping) : await startOne(parts)
    stopping.serves()
    const page = await openPage(config, service, log)
    try {
      // Not before it listens: a paraphrase that is made and then not shown would lock everybody out.
      const firstUser = await welcomeFirstUser(store.auth, bundled, config, log)
      const api =
        bundled && file === undefined ? 'the bundled library, since there is no api.yaml here' : path
      ops?.admit({ reachable: store.reachable, lacking: service.lacking, metrics: service.metrics })
      const collection = model.classes.find(hasCollection)?.collection ?? ''
      announce({ base: service.base, page: page?.url, collection, firstUser }, config, log)
      log.info({ api, db: shownDatabase(config.db) }, 'serving')
      const signal = await stopping.stopped
      ops?.refuse('it is stopping')
      log.info({ signal }, 'stopping; requests in flight are finished')
    } finally {
      await Promise.all([page?.close(), service.close()])
    }
  } finally {
    await store.close()
  }
}

/** They take their time to load, and few want them. */
async function openOps({ ops }: Config, log: Logger): Promise<Ops | undefined> {
  return ops === undefined ? undefined : (await import('./ops.ts')).openOps(ops, log)
}

/** Of the first process, also where others serve the API. */
async function openPage(config: Config, service: Service, log: Logger): Promise<ServedConsole | undefined> {
  if (config.console === undefined) return undefined
  return (await import('./console.ts')).openConsole(config, service, log)
}

/** What serves: this process, or several. */
interface Serving extends Service {
  readonly lacking: () => string | undefined
  readonly metrics?: () => Promise<Text>
}

async function startOne(parts: ServiceParts): Promise<Serving> {
  try {
    return { ...(await startService(parts)), lacking: () => undefined }
  } catch (error) {
    throw explainListening(error, parts.config)
  }
}

async function startMany(
  { config, model, log }: Pick<ServiceParts, 'config' | 'model'> & { readonly log: Logger },
  onOvertaken: () => void,
  { onLeave }: Stopping,
): Promise<Serving> {
  const { startWorkers } = await import('./workers/workers.ts')
  return startWorkers({ config, model, log, onOvertaken: once(onOvertaken), onLeave })
}

/** Each worker notices for itself. */
function once(act: () => void): () => void {
  let done = false
  return () => {
    if (!done) act()
    done = true
  }
}

/** A file that was asked for is never replaced by another one. */
function chooseFile(file: string | undefined, log: Logger): string {
  if (file !== undefined) return file
  if (existsSync('api.yaml')) return 'api.yaml'
  const other = ['api.yml', 'api.json'].find(existsSync)
  if (other !== undefined) log.warn(`${other} is not served unless it is named: ${COMMAND} serve ${other}`)
  return BUNDLED
}

/** There is no default password: either a random one is shown once, or nobody can sign in yet. */
async function welcomeFirstUser(
  store: AuthStore,
  bundled: boolean,
  { mode, db }: Config,
  log: Logger,
): Promise<FirstUser | undefined> {
  if (mode === 'open') {
    log.warn('authentication is off: everybody may read and write')
    return undefined
  }
  if ((await store.listUsers(Date.now())).length > 0) return undefined
  if (bundled || process.stdout.isTTY) return addFirstUser(store)
  log.warn(
    db === 'sqlite::memory:'
      ? 'there is no user, so nobody can sign in, and no other command reaches a database in memory; name a file with --db sqlite:<path>'
      : `there is no user, so nobody can sign in; add one with: ${commandOn(db, 'user add 1')}`,
  )
  return undefined
}

/** Who waits for long is told for whom. */
function tellWaiting(log: Logger): NodeJS.Timeout {
  const sentence =
    'still opening the database; another process may be bringing the members under its API file'
  return setTimeout(() => log.warn(sentence), OPENING_MS)
}
