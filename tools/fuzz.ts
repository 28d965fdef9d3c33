import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

// `npm run fuzz -- http [runs]`: runs the property-based tests of a room any number of times.

const [room = 'http', runs = '1000000'] = process.argv.slice(2)
const file = join(import.meta.dirname, '..', 'test', room, 'head-random.test.ts')
const { status } = spawnSync(process.execPath, ['--test', '--test-timeout=0', file], {
  stdio: 'inherit',
  // Collecting the stack traces of refusals would take a fifth of the time.
  env: { ...process.env, FUZZ_RUNS: runs, NODE_OPTIONS: '--stack-trace-limit=0' },
})
process.exitCode = status ?? 1
