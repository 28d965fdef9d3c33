// npm run bench: everything; npm run bench -- costs, postgres, sizes or console: that alone; console with 20000 behind it:
// with so many members. The tables go into docs/performance.md; the last one of postgres into docs/scaling.md.
import { cpus } from 'node:os'
import { measureConsole } from './console.ts'
import { measureCosts } from './costs.ts'
import { measurePostgres } from './postgres.ts'
import { measureSizes } from './sizes.ts'

const PARTS: Readonly<Record<string, (members?: number) => Promise<void>>> = {
  costs: measureCosts,
  postgres: measurePostgres,
  sizes: measureSizes,
  console: measureConsole,
}

console.log(`Node.js ${process.version}, ${process.arch}, ${cpus().length} cores`)
const isNumber = (word: string): boolean => /^\d+$/.test(word)
const asked = process.argv.slice(2)
const names = asked.filter((word) => !isNumber(word))
const [members] = asked.filter(isNumber).map(Number)
for (const name of names.length > 0 ? names : Object.keys(PARTS)) {
  const measure = PARTS[name]
  if (measure === undefined) throw new Error(`There is no part "${name}"; there are ${Object.keys(PARTS)}.`)
  await measure(members)
}
