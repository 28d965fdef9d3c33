import { resolve } from 'node:path'
import {
  type Installation,
  install,
  isExecutable,
  lastLineOf,
  type Machine,
  placesOf,
  thisMachine,
} from './machine.ts'

/** The first one is Chromium without windows, which takes two thirds of the processor time. */
const NAMES = [
  'chromium-headless-shell',
  ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'],
]

const MAC_PATHS = ['Chromium', 'Google Chrome'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
)

/** A font besides, since a machine without one shows no text. */
const CHROMIUM: Installation = {
  what: 'Chromium for the browser tests',
  packages: {
    'apt-get': ['chromium', 'fonts-liberation'],
    dnf: ['chromium', 'liberation-sans-fonts'],
    apk: ['chromium', 'ttf-freefont'],
  },
}

const WITHOUT_WINDOWS: Installation = {
  ...CHROMIUM,
  packages: { ...CHROMIUM.packages, 'apt-get': ['chromium-headless-shell', 'fonts-liberation'] },
}

const LOOK_LIMIT_MS = 30_000

/** A Chromium that runs, installed where there is none yet; an error of one line where that cannot be done. */
export async function provideChromium(machine: Machine = thisMachine()): Promise<string> {
  const installed = await findChromium(machine)
  if (installed !== undefined) return installed
  // Older releases of Debian, and Ubuntu, do not have the first one.
  const isDebian = placesOf('apt-get', machine).length > 0
  let failure: string | undefined
  for (const installation of isDebian ? [WITHOUT_WINDOWS, CHROMIUM] : [CHROMIUM]) {
    failure = await install(machine, installation)
    const found = failure === undefined ? await findChromium(machine) : undefined
    if (found !== undefined) return found
  }
  throw new Error(
    `No Chromium for the browser tests: CHROMIUM_PATH names none, ${NAMES.join(', ')} are not on PATH or do not run, ` +
      `and ${failure ?? 'what was installed is none of these'}. ` +
      'Install one, or name one: CHROMIUM_PATH=/path/to/chromium npm test',
  )
}

/** CHROMIUM_PATH, then the usual names on PATH, then the usual places of applications. */
export async function findChromium(machine: Machine = thisMachine()): Promise<string | undefined> {
  const { CHROMIUM_PATH } = machine.environment
  if (CHROMIUM_PATH) {
    const named = resolve(CHROMIUM_PATH)
    const problem = await whyNot(named, machine)
    if (problem === undefined) return named
    throw new Error(
      `CHROMIUM_PATH is ${named}, which is no Chromium: ${problem}. Name one that runs, or unset it.`,
    )
  }
  const candidates = NAMES.flatMap((name) => placesOf(name, machine))
  if (machine.platform === 'darwin') candidates.push(...MAC_PATHS)
  for (const candidate of candidates) {
    if ((await whyNot(candidate, machine)) === undefined) return candidate
  }
  return undefined
}

/** A name on PATH may be a script that only says where to get a browser: it has to tell its version. */
async function whyNot(path: string, machine: Machine): Promise<string | undefined> {
  if (!isExecutable(path)) return 'there is no program'
  const { isDone, output } = await machine.run(path, ['--version'], LOOK_LIMIT_MS)
  return isDone && /\b\d+(\.\d+){3}\b/.test(output) ? undefined : `--version says ${lastLineOf(output)}`
}
