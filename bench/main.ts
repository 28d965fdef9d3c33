// npm run bench: everything but the console; npm run bench -- costs, postgres, sizes or console: that alone; console with
// 20000 behind it: with so many members. --short: one short round, to see that all works; --json: for programs;
// --write: the tables go into docs/performance.md and docs/scaling.md, the plots into docs/images.
import { cpus } from 'node:os'
import { measureConsole } from './console.ts'
import { measureCosts, measurePostgres } from './costs.ts'
import { plotCosts } from './plot.ts'
import { type Report, targetTable, toMarkdown, writeImage, writeTables } from './report.ts'
import { flags, HOW, positionals } from './rounds.ts'
import { stopAll } from './servers.ts'
import { measureSizes } from './sizes.ts'

const PARTS: Readonly<Record<string, (members?: number) => Promise<Report>>> = {
  costs: measureCosts,
  postgres: measurePostgres,
  sizes: measureSizes,
  console: measureConsole,
}
const machine = `Node.js ${process.version}, ${process.arch}, ${cpus().length} cores; ${HOW}`
const isNumber = (word: string): boolean => /^\d+$/.test(word)
const asked = positionals.filter((word) => !isNumber(word))
const [members] = positionals.filter(isNumber).map(Number)
const reports: Report[] = []
for (const name of asked.length > 0 ? asked : ['costs', 'postgres', 'sizes']) {
  const measure = PARTS[name]
  if (measure === undefined) throw new Error(`There is no part "${name}"; there are ${Object.keys(PARTS)}.`)
  console.error(`Measuring ${name} …`)
  reports.push(await measure(members))
  await stopAll()
}
const targets = reports.flatMap((report) => report.targets)
const tables = reports.flatMap((report) => report.tables)
if (targets.length > 0) tables.push(targetTable(targets))
if (flags.json) console.log(JSON.stringify({ machine, tables, targets }, null, 2))
else console.log([machine, ...tables.map(toMarkdown)].join('\n\n'))
if (flags.write) {
  writeTables(tables, machine)
  for (const { name, svg } of plotCosts(tables)) writeImage(name, svg)
}
