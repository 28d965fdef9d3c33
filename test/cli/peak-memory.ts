/**
 * Loaded into a command before it runs (`--import`): prints the most memory, in bytes, that the process was seen to have.
 * (The kernel's own figure begins with that of the process that started it.)
 */
const INTERVAL_MS = 20
let peak = 0

setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss())
}, INTERVAL_MS).unref()
process.on('exit', () => process.stderr.write(`peak ${peak}\n`))
