import { Worker } from 'node:worker_threads'

const EVERY_MS = 1_000
/** The thread needs the least that V8 takes. */
const LIMITS = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 8, codeRangeSizeMb: 1, stackSizeMb: 1 }

/**
 * Ends this process soon after the one that has started it, also while a loop in the deployer's code keeps the event loop
 * from noticing. On Windows, a process keeps the id of its parent: there, such a loop goes on.
 */
export function endWithParent(): void {
  // As text, since a thread of its own file would load the joined one, with all of Hydrant.
  const code = `(${killOrphan})(${process.ppid}, ${EVERY_MS})`
  new Worker(code, { eval: true, execArgv: [], resourceLimits: LIMITS }).unref()
}

/** Runs on the thread, and so refers to nothing outside. */
function killOrphan(parent: number, everyMs: number): void {
  setInterval(() => {
    // Not at once: a process with a running event loop ends by itself.
    if (process.ppid !== parent) setTimeout(() => process.kill(process.pid, 'SIGKILL'), everyMs)
  }, everyMs)
}
