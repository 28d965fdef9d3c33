import { readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

// Preloaded by `npm test`. A process that has left something open never ends, and the whole run would wait for it: the time
// limit of the test runner is for tests alone. When a process has reported nothing for a time, it says what is still open,
// and fails.

const SILENCE_MS = Number(process.env.HYDRANT_TEST_SILENCE_MS)
const LOOKS = 20

/** What this process has started, as Linux tells. */
function commandsOf(pid: number): string[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? []
    return children.map((child) => `${child} ${readFileSync(`/proc/${child}/cmdline`, 'utf8')}`)
  } catch {
    return []
  }
}

function giveUp(): void {
  const open = process.getActiveResourcesInfo().join(', ') || 'nothing'
  const children = commandsOf(process.pid).map((command) => `\n  ${command.replaceAll('\0', ' ')}`)
  process.stderr.write(
    `${process.argv[1]} has reported nothing for ${SILENCE_MS / 1_000} s. What is open: ${open}. ` +
      `What it has started and still runs: ${children.join('') || 'nothing'}\n`,
    () => process.exit(1),
  )
}

if (isMainThread && SILENCE_MS > 0) {
  let seen = 0
  let silentLooks = 0
  const look = () => {
    const { bytesWritten } = process.stdout as typeof process.stdout & { readonly bytesWritten: number }
    silentLooks = bytesWritten === seen ? silentLooks + 1 : 0
    seen = bytesWritten
    if (silentLooks === LOOKS) giveUp()
  }
  setInterval(look, SILENCE_MS / LOOKS).unref()
}
