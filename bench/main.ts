// npm run bench: everything; npm run bench -- costs, postgres or sizes: that alone. The tables go into docs/performance.md;
// the last one of postgres into docs/scaling.md.
import { cpus } from 'node:os'
import { measureCosts } from './costs.ts'
import { measurePostgres } from './postgres.ts'
import { measureSizes } from './sizes.ts'

const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  costs: measureCosts,
  postgres: measurePostgres,
  sizes: measureSizes,
}

console.log(`Node.js ${process.version}, ${process.arch}, ${cpus().length} cores`)
const asked = process.argv.slice(2)
for (const name of asked.length > 0 ? asked : Object.keys(PARTS)) {
  const measure = PARTS[name]
  if (measure === undefined) throw new Error(`There is no part "${name}"; there are ${Object.keys(PARTS)}.`)
  await measure()
}
