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

/** The largest body must fit, beside those that are not admitted yet. */
export function readBodyMemory({ read, source, at }: SettingsReader): number {
  const memory = read('bodyMemory')
  const least = leastBodyMemory(read('maxBatchBytes'))
  if (memory >= least) return memory
  // Larger batches are enough to say: the default follows them.
  if (source('bodyMemory') === undefined) return least
  const minMebibytes = Math.ceil(least / 1_024 / 1_024)
  throw settingProblem('BodyMemoryTooSmall', { minMebibytes }, at('bodyMemory'))
}

/** authentication.md, The gate: nothing but the API listens on the API's port. */
export function readOps({ read, at }: SettingsReader, port: number): Address | undefined {
  const wanted = read('opsPort')
  if (wanted === undefined) return undefined
  // Of this machine alone: to be reached by others it takes an address.
  if (wanted.port === 0 || wanted.port !== port)
    return { host: wanted.host ?? '127.0.0.1', port: wanted.port }
  throw settingProblem('PortOfApi', { port }, at('opsPort'))
}

export function readConsole({ read, source, at }: SettingsReader, port: number): Address | undefined {
  const wanted = read('consolePort')
  if (wanted === undefined) return undefined
  const address = { host: wanted.host ?? read('host'), port: wanted.port }
  const user = userOfPort(address.port, port, read('opsPort')?.port)
  // A default that conflicts with a chosen port is no mistake of the user: opening the console warns of it.
  if (user === undefined || source('consolePort') === undefined) return address
  throw settingProblem('ConsolePortTaken', { port: address.port, user }, at('consolePort'))
}

/** A database in memory cannot be opened twice, and other processes would keep the former file. */
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

/** What the largest body takes, as bytes and as text, when it is alone; a quarter is for requests before admission. */
export const leastBodyMemory = (batchBytes: number): number => 4 * Math.max(batchBytes, 1_024 * 1_024)

/** What already uses the port of the console. */
export function userOfPort(port: number, api: number, ops: number | undefined): PortUser | undefined {
  if (port === 0) return undefined
  return port === api ? 'api' : port === ops ? 'ops' : undefined
}
