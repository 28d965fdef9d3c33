#!/usr/bin/env node
// Kept to what an old Node.js understands, so that it gets to say what is wrong.
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { runtimeProblem } from '../runtime.ts'

const problem = runtimeProblem()
if (problem !== undefined) {
  console.error(problem)
  process.exitCode = 1
} else {
  // A reader that has seen enough (`hydrant --help | head -1`) is no failure. Nothing else that happens to these streams,
  // such as a full disk below them, is a reason for a server to end.
  let unwritten: unknown
  process.stderr.on('error', () => {})
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') unwritten ??= error
  })
  // Compiled code is kept with the program: in the folder for temporary files, others could put code that we would run.
  // Not with its sources, which change.
  if (import.meta.url.endsWith('.js'))
    module.enableCompileCache(fileURLToPath(new URL('../.compiled', import.meta.url)))
  const { run } = await import('./program.ts')
  const args = process.argv.slice(2)
  process.exitCode = await run(args)
  // A server was there for its requests. What another command prints is what it was called for.
  if (args[0] !== 'serve') {
    process.on('exit', () => {
      if (unwritten === undefined || process.exitCode !== 0) return
      const { code, message } = unwritten as NodeJS.ErrnoException
      const reason = code === 'ENOSPC' ? 'its disk is full' : message
      console.error(`hydrant: standard output: ${reason}; what was to be printed is lost.`)
      process.exitCode = 1
    })
  }
}
