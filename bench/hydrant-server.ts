// The built server, run as `hydrant serve` runs it; only the report of its processor time is added.
import { reportProcessorTime } from './processor-time.ts'

reportProcessorTime()
const { run } = await import('../dist/cli/program.js' as string)
process.exitCode = await run(process.argv.slice(2))
