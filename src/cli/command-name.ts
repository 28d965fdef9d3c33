import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** How this command can be typed where the reader stands: an installed package has it by its name, a clone does not. */
export const COMMAND = ROOT.includes(`${sep}node_modules${sep}`)
  ? 'hydrant'
  : relative(process.cwd(), join(ROOT, 'bin', 'hydrant'))
