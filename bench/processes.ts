import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second for programs, whatever the kernel's own clock is. */
const TICK_MICROSECONDS = 10_000

interface Process {
  readonly pid: number
  readonly parent: number
  /** Its own time, and that of children which have ended: of those who come and go, such as autovacuum, too. */
  readonly ticks: number
}

/** Microseconds of processor time that a process and all that it has started have used so far. */
export const processorTimeOf = (root: number): number =>
  listTree(root).reduce((sum, { ticks }) => sum + ticks, 0) * TICK_MICROSECONDS

/** The most memory that a process and all that it has started have had, each at its own time (VmHWM of proc(5)). */
export function peakMegabytesOf(root: number): number {
  let kilobytes = 0
  for (const { pid } of listTree(root)) {
    const status = readText(`/proc/${pid}/status`) ?? ''
    kilobytes += Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0)
  }
  return kilobytes / 1024
}

export const parentOf = (pid: number): number => readProcess(pid)?.parent ?? 0

/** A process that this one has started; itself where there is none. */
export const childOf = (pid: number): number =>
  listProcesses().find(({ parent }) => parent === pid)?.pid ?? pid

function listTree(root: number): Process[] {
  const processes = listProcesses()
  const inTree = new Set([root])
  for (let size = 0; size < inTree.size; ) {
    size = inTree.size
    for (const { pid, parent } of processes) if (inTree.has(parent)) inTree.add(pid)
  }
  return processes.filter(({ pid }) => inTree.has(pid))
}

function listProcesses(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((found) => found !== undefined)
}

/** proc_pid_stat(5). The name in parentheses may have any character in it; what follows the last one is numbers. */
function readProcess(pid: number): Process | undefined {
  const text = readText(`/proc/${pid}/stat`)
  if (text === undefined) return undefined
  const [, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const ticks = rest.slice(9, 13).reduce((sum, count) => sum + Number(count), 0)
  return { pid, parent: Number(parent), ticks }
}

/** Nothing where the process has ended since its name was read. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return undefined
  }
}
