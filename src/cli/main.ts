#!/usr/bin/env node
// Uses only syntax that an old Node.js understands, so that it can print which version is needed.
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runtimeProblem } from '../runtime.ts'
import { COMPILE_EARLY } from './v8.ts'

const problem = runtimeProblem()
if (problem !== undefined) {
  console.error(problem)
  process.exitCode = 1
} else {
  // A reader that stops early (`hydrant --help | head -1`) is not a failure. Nor should other errors of these streams,
  // such as a full disk, end a server.
  let unwritten: unknown
  process.stderr.on('error', () => {})
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') unwritten ??= error
  })
  // Before our code is loaded: V8 uses compiled code only under the flags that it was kept under. That of Node.js itself is
  // compiled anew, which takes a server 25 ms; no other command runs long enough to gain from the flags.
  if (process.argv[2] === 'serve') for (const flag of COMPILE_EARLY) setFlagsFromString(flag)
  // The cache of compiled code is kept with the program: in the folder for temporary files, others could plant code that
  // we would run. Not when running from sources, which change.
  if (import.meta.url.endsWith('.js'))
    module.enableCompileCache(fileURLToPath(new URL('../.compiled', import.meta.url)))
  const { run } = await import('./program.ts')
  let isServer = false
  process.exitCode = await run(process.argv.slice(2), process, () => {
    isServer = true
  })
  // A server has done its work even if its output was lost. For other commands, and for help, the output is the result.
  if (!isServer) {
    process.on('exit', () => {
      if (unwritten === undefined || process.exitCode !== 0) return
      const { code, message } = unwritten as NodeJS.ErrnoException
      const reason = code === 'ENOSPC' ? 'its disk is full' : message
      console.error(`hydrant: standard output: ${reason}; what was to be printed is lost.`)
      process.exitCode = 1
    })
  }
}
