import { StatementSync } from 'node:sqlite'

/**
 * Loaded into a command before it runs (`--import`), with `KILL_AT=<times> <pattern>`: the process gets a signal
 * (`KILL_WITH`), or the thread ends (`exit`), when the database has carried out statements of that pattern so many times, and before it goes on.
 */
const [, times = '', pattern = ''] = /^(\d+) (.*)$/.exec(process.env.KILL_AT ?? '') ?? []
const counted = new RegExp(pattern)
let seen = 0

for (const name of ['run', 'get', 'all'] as const) {
  const carryOut = StatementSync.prototype[name] as (...values: unknown[]) => unknown
  StatementSync.prototype[name] = function (this: StatementSync, ...values: unknown[]) {
    const result = carryOut.apply(this, values)
    if (counted.test(this.sourceSQL) && ++seen === Number(times)) {
      if (process.env.KILL_WITH === 'exit') process.exit()
      process.kill(process.pid, process.env.KILL_WITH ?? 'SIGKILL')
    }
    return result
  } as never
}
