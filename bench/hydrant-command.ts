// The built command, run to its end; only the report of its peak memory is added.
const { run } = await import('../dist/cli/program.js' as string)
process.exitCode = await run(process.argv.slice(2))
process.send?.({ maxRSS: process.resourceUsage().maxRSS })
process.disconnect?.()
