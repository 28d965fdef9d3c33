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
export function processorTimeOf(root: number): number {
  const processes = listProcesses()
  const inTree = new Set([root])
  for (let size = 0; size < inTree.size; ) {
    size = inTree.size
    for (const { pid, parent } of processes) if (inTree.has(parent)) inTree.add(pid)
  }
  const ticks = processes.filter(({ pid }) => inTree.has(pid)).reduce((sum, one) => sum + one.ticks, 0)
  return ticks * TICK_MICROSECONDS
}

export function parentOf(pid: number): number {
  return readProcess(pid)?.parent ?? 0
}

function listProcesses(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((found) => found !== undefined)
}

/** proc_pid_stat(5). The name in parentheses may have any character in it; what follows the last one is numbers. */
function readProcess(pid: number): Process | undefined {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    // It has ended since its name was read.
    return undefined
  }
  const [, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const ticks = rest.slice(9, 13).reduce((sum, count) => sum + Number(count), 0)
  return { pid, parent: Number(parent), ticks }
}
