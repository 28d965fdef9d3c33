import { execFile } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

/** The machine that the tests run on, as far as finding a browser goes. */
export interface Machine {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly isRoot: boolean
  run(command: string, args: readonly string[], limitMs: number): Promise<Outcome>
  /** What takes a while is said to whoever waits. */
  tell(line: string): void
}

export interface Outcome {
  readonly isDone: boolean
  /** What it said, or why it was not run. */
  readonly output: string
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

const MAC_PATHS = ['Chromium', 'Google Chrome'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
)

interface Installer {
  readonly name: string
  readonly install: readonly string[]
  /** Where it may know of no package yet, or of packages that are gone. */
  readonly refresh?: readonly string[]
}

/** A font besides, since a machine without one shows no text. */
const INSTALLERS: readonly Installer[] = [
  {
    name: 'apt-get',
    // Of what does not end by itself, most waits for the network or for another apt-get.
    install: [
      ...['-o', 'Acquire::http::Timeout=30', '-o', 'DPkg::Lock::Timeout=120'],
      ...['install', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation'],
    ],
    refresh: ['update'],
  },
  { name: 'dnf', install: ['install', '-y', 'chromium', 'liberation-sans-fonts'] },
  { name: 'apk', install: ['add', '--no-cache', 'chromium', 'ttf-freefont'] },
]

/** Nobody is there to answer a question, and dpkg does not work without the folders of administrators. */
const SETTINGS = [
  'DEBIAN_FRONTEND=noninteractive',
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
]

const LOOK_LIMIT_MS = 30_000
const INSTALL_LIMIT_MS = 300_000

export const thisMachine = (): Machine => ({
  environment: process.env,
  platform: process.platform,
  isRoot: process.getuid?.() === 0,
  run: runToItsEnd,
  tell: (line) => process.stderr.write(`${line}\n`),
})

/** A Chromium that runs, installed where there is none yet; an error of one line where that cannot be done. */
export async function provideChromium(machine: Machine = thisMachine()): Promise<string> {
  const installed = await findChromium(machine)
  if (installed !== undefined) return installed
  const failure = await install(machine)
  const found = failure === undefined ? await findChromium(machine) : undefined
  if (found !== undefined) return found
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

/** Why there is no browser now, or undefined when there should be. */
async function install(machine: Machine): Promise<string | undefined> {
  const installer = INSTALLERS.find(({ name }) => placesOf(name, machine).length > 0)
  if (installer === undefined) {
    return `there is none of ${INSTALLERS.map(({ name }) => name).join(', ')} to install it`
  }
  const { name, refresh } = installer
  const [program = name] = placesOf(name, machine)
  const [sudo] = placesOf('sudo', machine)
  if (!machine.isRoot && sudo === undefined) return `only root may install it with ${name}`
  const deadline = Date.now() + INSTALL_LIMIT_MS
  const attempt = (args: readonly string[]) => {
    const command = ['/usr/bin/env', ...SETTINGS, program, ...args]
    const [first = '', ...rest] = machine.isRoot ? command : [sudo ?? '', '-n', ...command]
    return machine.run(first, rest, Math.max(deadline - Date.now(), 0))
  }

  machine.tell(`Installing Chromium for the browser tests with ${name} (once) ...`)
  let outcome = await attempt(installer.install)
  if (!outcome.isDone && refresh !== undefined) {
    machine.tell(
      `It did not (${lastLineOf(outcome.output)}). Once more, after ${name} ${refresh.join(' ')} ...`,
    )
    await attempt(refresh)
    outcome = await attempt(installer.install)
  }
  return outcome.isDone ? undefined : `${name} did not install it (${lastLineOf(outcome.output)})`
}

/** As a shell without a PATH has it. */
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin'

function placesOf(name: string, { environment }: Machine): string[] {
  return (environment.PATH ?? DEFAULT_PATH)
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .filter(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

const lastLineOf = (text: string): string => text.trim().split('\n').at(-1)?.trim() || 'nothing'

function runToItsEnd(command: string, args: readonly string[], limitMs: number): Promise<Outcome> {
  return new Promise((settle) => {
    const child = execFile(
      command,
      args,
      { maxBuffer: Number.POSITIVE_INFINITY },
      (error, stdout, stderr) => {
        clearTimeout(late)
        settle({ isDone: error === null, output: stdout + stderr })
      },
    )
    child.stdin?.end()
    // What cannot be ended, as under sudo, is not waited for either.
    const late = setTimeout(() => {
      child.kill()
      settle({ isDone: false, output: 'it took too long' })
    }, limitMs)
  })
}
