import { execFile } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The machine that the tests run on, as far as finding programs goes. */
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

type InstallerName = 'apt-get' | 'dnf' | 'apk'

interface Installer {
  readonly name: InstallerName
  /** Before the names of packages. */
  readonly install: readonly string[]
  /** Where it may know of no package yet, or of packages that are gone. */
  readonly refresh?: readonly string[]
}

/** What a program is for, and the packages that have it. */
export interface Installation {
  readonly what: string
  readonly packages: Readonly<Record<InstallerName, readonly string[]>>
}

const INSTALLERS: readonly Installer[] = [
  {
    name: 'apt-get',
    // Of what does not end by itself, most waits for the network or for another apt-get.
    install: [
      ...['-o', 'Acquire::http::Timeout=30', '-o', 'DPkg::Lock::Timeout=120'],
      ...['install', '-y', '--no-install-recommends'],
    ],
    refresh: ['update'],
  },
  { name: 'dnf', install: ['install', '-y'] },
  { name: 'apk', install: ['add', '--no-cache'] },
]

/** Nobody is there to answer a question, and dpkg does not work without the folders of administrators. */
const SETTINGS = [
  'DEBIAN_FRONTEND=noninteractive',
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
]

const INSTALL_LIMIT_MS = 300_000

export const thisMachine = (): Machine => ({
  environment: process.env,
  platform: process.platform,
  isRoot: process.getuid?.() === 0,
  run: runToItsEnd,
  tell: (line) => process.stderr.write(`${line}\n`),
})

/** Why there is no such program now, or undefined when there should be. */
export async function install(
  machine: Machine,
  { what, packages }: Installation,
): Promise<string | undefined> {
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

  machine.tell(`Installing ${what} with ${name} (once) ...`)
  const all = [...installer.install, ...packages[name]]
  let outcome = await attempt(all)
  if (!outcome.isDone && refresh !== undefined) {
    machine.tell(
      `It did not (${lastLineOf(outcome.output)}). Once more, after ${name} ${refresh.join(' ')} ...`,
    )
    await attempt(refresh)
    outcome = await attempt(all)
  }
  return outcome.isDone ? undefined : `${name} did not install it (${lastLineOf(outcome.output)})`
}

/** As a shell without a PATH has it. */
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin'

export function placesOf(name: string, { environment }: Machine): string[] {
  return (environment.PATH ?? DEFAULT_PATH)
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .filter(isExecutable)
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

export const lastLineOf = (text: string): string => text.trim().split('\n').at(-1)?.trim() || 'nothing'

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
