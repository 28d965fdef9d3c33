// npm run bench: everything but the console; npm run bench -- costs, postgres, sizes, asking, access, people, history, feed, followers, conversion or console: that
// alone; console with 20000 behind it: with so many members. --short: one short round, to see that all works; --json: for programs;
// --write: the tables go into docs/performance.md, docs/performance-notes.md and docs/scaling.md, the plots into docs/images.
import { cpus } from 'node:os'
import { measureAccess } from './access.ts'
import { measureAsking } from './asking.ts'
import { measureConsole } from './console.ts'
import { measureConversion } from './conversion.ts'
import { measureCosts, measurePostgres } from './costs.ts'
import { measureFeed } from './feed.ts'
import { measureFollowers } from './followers.ts'
import { measureHistory } from './history.ts'
import { measurePeople } from './people.ts'
import { writePlots } from './plot.ts'
import { type Report, type Table, type Target, targetTable, toMarkdown, writeDocs } from './report.ts'
import { flags, HOW, positionals } from './rounds.ts'
import { stopAll } from './servers.ts'
import { measureSizes } from './sizes.ts'

const PARTS: Readonly<Record<string, (members?: number) => Promise<Report>>> = {
  costs: measureCosts,
  postgres: measurePostgres,
  sizes: measureSizes,
  access: measureAccess,
  people: measurePeople,
  history: measureHistory,
  asking: measureAsking,
  feed: measureFeed,
  followers: measureFollowers,
  conversion: measureConversion,
  console: measureConsole,
}
const machine = `Node.js ${process.version}, ${process.arch}, ${cpus().length} cores; ${HOW}`
const isNumber = (word: string): boolean => /^\d+$/.test(word)
const asked = positionals.filter((word) => !isNumber(word))
const [members] = positionals.filter(isNumber).map(Number)
const say = (text: string): void => (flags.json ? undefined : console.log(`${text}\n`))
const tables: Table[] = []
const targets: Target[] = []
say(machine)
for (const name of asked.length > 0
  ? asked
  : [
      'costs',
      'postgres',
      'sizes',
      'asking',
      'access',
      'people',
      'history',
      'feed',
      'followers',
      'conversion',
    ]) {
  const measure = PARTS[name]
  if (measure === undefined) throw new Error(`There is no part "${name}"; there are ${Object.keys(PARTS)}.`)
  const report = await measure(members)
  await stopAll()
  for (const table of report.tables) say(toMarkdown(table))
  tables.push(...report.tables)
  targets.push(...report.targets)
}
if (targets.length > 0) say(toMarkdown(targetTable(targets)))
if (flags.json) console.log(JSON.stringify({ machine, tables, targets }, null, 2))
if (flags.write) {
  const texts = new Map(tables.map((table) => [table.name, toMarkdown(table)]))
  if (texts.has('costs')) texts.set('machine', machine)
  writePlots(tables)
  writeDocs(texts, targets)
}
