import type { Config } from '../config/index.ts'
import type { Log } from './log.ts'

/** Descriptors for the ports of console and operations (320 connections), the database, files and threads. */
const RESERVE = 512

type ConnectionSettings = Pick<Config, 'maxConnections' | 'workers'>

/** How many file descriptors this process may have; Node.js has raised the limit as far as it may. */
function readDescriptorLimit(): number {
  // `excludeNetwork` is not in the types of Node.js yet. Without it the names of all peers would be looked up.
  const report = process.report as ProcessReport
  const before = report.excludeNetwork
  report.excludeNetwork = true
  const { userLimits } = report.getReport() as { readonly userLimits?: UserLimits }
  report.excludeNetwork = before
  // A number, "unlimited", or on Windows nothing.
  const limit = Number(userLimits?.open_files?.soft)
  return Number.isNaN(limit) ? Number.POSITIVE_INFINITY : limit
}

type ProcessReport = NodeJS.ProcessReport & { excludeNetwork: boolean }

interface UserLimits {
  readonly open_files?: { readonly soft: number | string }
}

/** How many connections a process with this many descriptors can have. If there are few, half are for connections. */
const connectionsWithin = (descriptors: number): number =>
  descriptors - Math.min(RESERVE, Math.ceil(descriptors / 2))

/**
 * As many connections as there are file descriptors for, with a warning if those are fewer than `--max-connections`:
 * without free descriptors, neither the API nor the health port could accept a connection, and no file could be opened.
 * Each worker has its own descriptors.
 */
export function fitConnections<T extends ConnectionSettings>(
  config: T,
  log: Pick<Log, 'warn'>,
  descriptors: number = readDescriptorLimit(),
): T {
  const { maxConnections, workers } = config
  const fitting = connectionsWithin(descriptors) * workers
  if (maxConnections <= fitting) return config
  const needed = Math.ceil(maxConnections / workers) + RESERVE
  log.warn(
    { descriptors, maxConnections },
    `only ${fitting} connections are accepted: there are ${descriptors} file descriptors for each process; raise the limit with "ulimit -n ${needed}" (LimitNOFILE=${needed} of systemd, --ulimit nofile=${needed} of Docker), or make --max-connections smaller`,
  )
  return { ...config, maxConnections: fitting }
}
