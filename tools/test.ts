import { globSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { Transform } from 'node:stream'
import { run } from 'node:test'
import { spec, type TestEvent } from 'node:test/reporters'
import { TOGETHER } from '../test/support/together.ts'

// `npm test`: runs the rooms of test/together, each in one process, then every other file in a process of its own.
// With arguments, runs only the files that they name.
// `npm run test:quick`: runs pure rooms and the tables of requests on SQLite, without a build.

const ROOT = join(import.meta.dirname, '..')
/** Two processes for two processors, and two more because many tests wait; more would only get in each other's way. */
const AT_ONCE = 4
/** For one test. */
const TIMEOUT_MS = process.env.HYDRANT_SOAK ? 1_200_000 : 300_000
/** A process that reports nothing for so long has left something open. */
const SILENCE_MS = TIMEOUT_MS + 60_000
/** What holds up the whole run says so itself by then, unless it cannot: it loops, or has ended and left a process behind. */
const GIVE_UP_MS = SILENCE_MS + 60_000
/** From then on a process that was left behind would still hold up this one. */
const TEARDOWN_MS = 10_000
const SLOWEST = 10
/** These files start first, so that no processor is idle at the end. */
const LONGEST = 'console store auth api api-2 cli hosts cli-2 docs client threats api-on-postgres'.split(' ')

process.env.HYDRANT_TEST_SILENCE_MS = String(SILENCE_MS)

// Console tests use the console that `npm test` has just built.
process.env.HYDRANT_TEST_CONSOLE = join(ROOT, 'dist', 'console')

// For the compilers that tests start: they end before what they collect would matter.
process.env.GOGC ??= '400'

const rooms: readonly string[] = Object.values(TOGETHER).flat()
const alone = globSync('test/*/**/*.test.ts', { cwd: ROOT }).filter(
  (file) => !rooms.includes(file.split(sep)[1] ?? ''),
)
const together = globSync('test/together/*.ts', { cwd: ROOT }).filter((file) => !/quick-/.test(file))
const longest = LONGEST.map((room) => join('test/together', `${room}.ts`))
const asked = process.argv.slice(2)
const isQuick = asked.includes('--quick')
// Servers in processes of their own are the built ones, which start sooner; quick tests need no build.
if (!isQuick) process.env.HYDRANT_TEST_MAIN = join(ROOT, 'dist', 'cli', 'main.js')
/** The tests to run before a commit. */
const quick = globSync('test/together/quick-*.ts', { cwd: ROOT })
const named = isQuick ? quick : asked
const all = [...new Set([...longest, ...together.sort(), ...alone])]
const silence = new AbortController()
const options = {
  files: (named.length > 0 ? named : all).map((file) => resolve(ROOT, file)),
  concurrency: AT_ONCE,
  timeout: TIMEOUT_MS,
  signal: silence.signal,
  // Quick tests need no PostgreSQL.
  ...(!isQuick && { globalSetupPath: join(ROOT, 'test/global-setup.ts') }),
  execArgv: ['seed.ts', 'untracked.ts', 'hashes.ts', 'silence.ts'].flatMap((file) => [
    '--import',
    join(ROOT, 'test/support', file),
  ]),
}

run(options)
  .on('test:fail', () => {
    process.exitCode = 1
  })
  .compose(withSlowest())
  .compose(withEnd())
  .compose(new spec())
  .on('end', () => silence.signal.aborted && setTimeout(() => process.exit(1), TEARDOWN_MS).unref())
  .pipe(process.stdout)

/** Ends the run if nothing is reported for a time. */
function withEnd(): Transform {
  const giveUp = () => silence.abort(new Error(`Nothing was reported for ${GIVE_UP_MS / 1_000} s.`))
  const timer = setTimeout(giveUp, GIVE_UP_MS).unref()
  return new Transform({
    objectMode: true,
    transform(event: TestEvent, _, done) {
      timer.refresh()
      done(null, event)
    },
  })
}

/** Prints which files took longest, before the final summary. */
function withSlowest(): Transform {
  const times = new Map<string, number>()
  let isSummed = false
  return new Transform({
    objectMode: true,
    transform(event: TestEvent, _, done) {
      if (event.type === 'test:pass' || event.type === 'test:fail') {
        const { file, details } = event.data
        if (file && details.type === 'test') times.set(file, (times.get(file) ?? 0) + details.duration_ms)
      }
      if (event.type === 'test:diagnostic' && event.data.file === undefined && !isSummed) {
        isSummed = true
        const say = (message: string) =>
          this.push({ type: 'test:diagnostic', data: { ...event.data, message } })
        say('slowest files')
        for (const [file, ms] of [...times].sort(([, a], [, b]) => b - a).slice(0, SLOWEST))
          say(`  ${(ms / 1000).toFixed(1)} s ${relative(ROOT, file)}`)
      }
      done(null, event)
    },
  })
}
