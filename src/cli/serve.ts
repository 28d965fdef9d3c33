import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import pino, { type Logger } from 'pino'
import pretty from 'pino-pretty'
import type { Config, SettingName } from '../config.ts'
import { type Service, startService } from '../service.ts'
import { openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { readApiFile } from '../vocabulary/read.ts'
import { addFirstUser, type FirstUser } from './first-user.ts'
import { addSampleData } from './sample-data.ts'
import { addSettings, configOf } from './settings.ts'
import { example } from './user.ts'
import { firstSteps } from './welcome.ts'

const BUNDLED = fileURLToPath(new URL('../../examples/library.yaml', import.meta.url))

const FLAGS: readonly SettingName[] = [
  'baseUrl',
  'host',
  'port',
  'db',
  'auth',
  'token',
  'tokenTtl',
  'nonceTtl',
  'secretFile',
  'trustProxy',
  'userFailures',
  'addressFailures',
  'pageSize',
  'maxPageSize',
  'requireIfMatch',
  'tlsCert',
  'tlsKey',
  'logLevel',
  'logFormat',
]

/** `hydrant serve [api-file]` */
export function addServe(program: Command): void {
  const serve = program
    .command('serve [api-file]')
    .description(
      'serve the API that a file describes; without one, api.yaml in this folder, else the bundled example',
    )
  addSettings(serve, FLAGS)
    .addHelpText('after', example('hydrant serve library.yaml --db sqlite:library.db --port 8080'))
    .action(async (file: string | undefined, _: unknown, command: Command) =>
      serveUntilStopped(file, configOf(command)),
    )
}

async function serveUntilStopped(file: string | undefined, config: Config): Promise<void> {
  const format = config.logFormat ?? (process.stdout.isTTY ? 'pretty' : 'json')
  const log = createLog(format, config.logLevel)
  const path = chooseFile(file)
  const model = await readApiFile(path)
  const store = await openStore(
    config.db,
    model.classes.map(({ name }) => name),
  )
  try {
    const bundled = path === BUNDLED
    if (bundled) await addSampleData(path.replace(/\.yaml$/, '.ndjson'), model, store)
    const firstUser = config.mode === 'open' ? undefined : await welcomeFirstUser(store, bundled, log)
    const service = await startService({ config, model, store, log })
    announce(service, firstUser, model.classes[0]?.collection ?? '', config, format, log)
    await stopSignal()
    await service.close()
  } finally {
    await store.close()
  }
}

/** A file that was asked for is never replaced by another one. */
function chooseFile(file: string | undefined): string {
  if (file !== undefined) return resolve(file)
  return existsSync('api.yaml') ? resolve('api.yaml') : BUNDLED
}

/** In json everything on standard output is JSON; otherwise the log goes to standard error, out of the reader's way. */
function createLog(format: 'pretty' | 'json', level: string): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  if (format === 'json') return pino(options, pino.destination({ dest: 1, sync: true }))
  return pino(
    options,
    pretty({ destination: 2, sync: true, colorize: process.stderr.isTTY, translateTime: 'SYS:HH:MM:ss' }),
  )
}

/** There is no default password: either a random one is shown once, or nobody can sign in yet. */
async function welcomeFirstUser(store: Store, bundled: boolean, log: Logger): Promise<FirstUser | undefined> {
  if ((await store.auth.listUsers(Date.now())).length > 0) return undefined
  if (bundled || process.stdout.isTTY) return addFirstUser(store.auth)
  log.warn({}, 'there is no user, so nobody can sign in; add one with "hydrant user add 1" and the same --db')
  return undefined
}

function announce(
  service: Service,
  firstUser: FirstUser | undefined,
  collection: string,
  config: Config,
  format: 'pretty' | 'json',
  log: Logger,
): void {
  if (format === 'json') log.info({ url: service.base }, 'listening')
  else process.stdout.write(`listening on ${service.base}\n`)
  const text = firstSteps(service.base, collection, config.mode, firstUser)
  // The paraphrase is for the person at the terminal, not for the log.
  const stream = format === 'json' ? process.stderr : process.stdout
  if (format === 'pretty' || firstUser !== undefined) stream.write(`\n${text}\n`)
}

function stopSignal(): Promise<void> {
  return new Promise((stop) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop())
  })
}
