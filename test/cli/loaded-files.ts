import { registerHooks } from 'node:module'

/** Loaded into a command before it runs (`--import`): prints every module that is loaded after it, each on a line. */
registerHooks({
  load(url, context, next) {
    process.stderr.write(`loaded ${url}\n`)
    return next(url, context)
  },
})
