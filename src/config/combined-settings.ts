// Settings whose values depend on others.
import { type PortUser, settingProblem } from './problems.ts'
import type { SettingsReader } from './setting-reader.ts'
import { type Address, isUsable } from './values.ts'

export function readTls({ find }: SettingsReader): { cert: Buffer; key: Buffer } | undefined {
  const [cert, key] = [find('tlsCert'), find('tlsKey')]
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined || key === undefined) throw settingProblem('CertificateWithoutKey')
  if (isUsable({ cert, key })) return { cert, key }
  throw settingProblem('KeyOfOtherCertificate')
}

/** The largest body must fit, beside the bodies of requests that are not admitted yet. */
export function readBodyMemory({ read, source, at }: SettingsReader): number {
  const memory = read('bodyMemory')
  const least = leastBodyMemory(read('maxBatchBytes'))
  if (memory >= least) return memory
  // It is enough to allow larger batches: the default follows.
  if (source('bodyMemory') === undefined) return least
  const minMebibytes = Math.ceil(least / 1_024 / 1_024)
  throw settingProblem('BodyMemoryTooSmall', { minMebibytes }, at('bodyMemory'))
}

/** Only the API listens on the API's port (authentication.md, The gate). */
export function readOps({ read, at }: SettingsReader, port: number): Address | undefined {
  const wanted = read('opsPort')
  if (wanted === undefined) return undefined
  // By default it can be reached only from this machine; otherwise the setting needs an address.
  if (wanted.port === 0 || wanted.port !== port)
    return { host: wanted.host ?? '127.0.0.1', port: wanted.port }
  throw settingProblem('PortOfApi', { port }, at('opsPort'))
}

export function readConsole({ read, source, at }: SettingsReader, port: number): Address | undefined {
  const wanted = read('consolePort')
  if (wanted === undefined) return undefined
  const address = { host: wanted.host ?? read('host'), port: wanted.port }
  const user = userOfPort(address.port, port, read('opsPort')?.port)
  // If the default port conflicts with a chosen one, that is not an error: opening the console warns about it.
  if (user === undefined || source('consolePort') === undefined) return address
  throw settingProblem('ConsolePortTaken', { port: address.port, user }, at('consolePort'))
}

/** `--watch` needs a file: a database in memory cannot be opened twice, and other processes would keep the previous API file. */
export function readWatch({ read, at }: SettingsReader): boolean {
  const db = read('db')
  if (!read('watch') || (db.startsWith('sqlite:') && db !== 'sqlite::memory:')) return read('watch')
  throw settingProblem('WatchWithoutFile', {}, at('watch'))
}

export function countWorkers({ read, at }: SettingsReader): number {
  const workers = read('workers')
  if (workers === 1 || !read('db').startsWith('sqlite:')) return workers
  throw settingProblem('WorkersOnSqlite', { workers }, at('workers'))
}

/** The memory of the largest body, as bytes and as text; a quarter is for requests before admission. */
export const leastBodyMemory = (batchBytes: number): number => 4 * Math.max(batchBytes, 1_024 * 1_024)

/** The other user of the console's port, if there is one. */
export function userOfPort(port: number, api: number, ops: number | undefined): PortUser | undefined {
  if (port === 0) return undefined
  return port === api ? 'api' : port === ops ? 'ops' : undefined
}
