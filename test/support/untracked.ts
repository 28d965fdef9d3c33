import { createRequire } from 'node:module'
import { inspect } from 'node:util'

// Preloaded by `npm test`. The test runner follows every promise and every other asynchronous resource through async_hooks,
// only to name the test that an uncaught error belongs to; that is a twelfth of the processor time of tests in this process.
// Without it an uncaught error still fails the process, and is printed here with its stack. `npm run soak`, and a file that
// is run by itself, name the test.

type AsyncHooks = typeof import('node:async_hooks')
type CreateHook = AsyncHooks['createHook']

/** The very object that the runner takes `createHook` from, when a file first imports node:test. */
const hooks = createRequire(import.meta.url)('node:async_hooks') as { createHook: CreateHook }
const { createHook } = hooks

const isRunner = (stack = ''): boolean => stack.includes('node:internal/test_runner/')

if (!process.env.HYDRANT_SOAK) {
  hooks.createHook = (callbacks) => (isRunner(new Error().stack) ? createHook({}) : createHook(callbacks))
  const print = (error: unknown) => process.stderr.write(`An uncaught error: ${inspect(error)}\n`)
  process.on('uncaughtExceptionMonitor', print).on('unhandledRejection', print)
}
