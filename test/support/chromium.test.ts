import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { findChromium, provideChromium } from './chromium.ts'
import { temporaryFolder } from './folders.ts'
import { type Machine, type Outcome, thisMachine } from './machine.ts'

const VERSION = 'Chromium 156.0.8078.79 built on Debian GNU/Linux 12 (bookworm)'
const done: Outcome = { isDone: true, output: '' }

interface Imagined {
  /** A folder for each place on PATH, with the programs in it and what each says of its version. */
  readonly path?: readonly Readonly<Record<string, string>>[]
  readonly named?: string
  readonly isRoot?: boolean
  /** What running a package manager does. */
  readonly installer?: (command: string, place: string) => Outcome
}

/** A machine whose programs are real files, and whose package manager is the test's. */
function imagine(t: TestContext, imagined: Imagined) {
  const root = temporaryFolder(t)
  const folders = (imagined.path ?? []).map((programs, index) => {
    const folder = join(root, String(index))
    mkdirSync(folder)
    for (const [name, version] of Object.entries(programs)) program(join(folder, name), version)
    return folder
  })
  const commands: string[] = []
  const told: string[] = []
  const machine: Machine = {
    environment: { PATH: folders.join(':'), CHROMIUM_PATH: imagined.named },
    platform: 'linux',
    isRoot: imagined.isRoot ?? true,
    async run(command, args, limitMs) {
      if (args[0] === '--version') return thisMachine().run(command, args, limitMs)
      const line = [command, ...args].join(' ').replaceAll(root, '')
      commands.push(line)
      return imagined.installer?.(line, folders[0] ?? root) ?? done
    },
    tell: (line) => told.push(line),
  }
  return { machine, folders, commands, told }
}

function program(path: string, version: string): void {
  writeFileSync(path, `#!/bin/sh\necho '${version}'\n`)
  chmodSync(path, 0o755)
}

describe('finding a Chromium', () => {
  test('the one that CHROMIUM_PATH names comes before those on PATH', async (t) => {
    const named = join(temporaryFolder(t), 'my browser')
    program(named, VERSION)
    const { machine } = imagine(t, { named, path: [{ chromium: VERSION }] })
    assert.equal(await findChromium(machine), named)
  })

  test('a CHROMIUM_PATH that leads nowhere is an error that says so', async (t) => {
    const { machine } = imagine(t, { named: '/nowhere/chromium', path: [{ chromium: VERSION }] })
    await assert.rejects(provideChromium(machine), {
      message:
        'CHROMIUM_PATH is /nowhere/chromium, which is no Chromium: there is no program. Name one that runs, or unset it.',
    })
  })

  test('a CHROMIUM_PATH that leads to another program is an error that says what it is', async (t) => {
    const { machine } = imagine(t, { named: process.execPath })
    await assert.rejects(provideChromium(machine), {
      message: `CHROMIUM_PATH is ${process.execPath}, which is no Chromium: --version says ${process.version}. Name one that runs, or unset it.`,
    })
  })

  test('a name that is more usual wins, then the place that comes first', async (t) => {
    const { machine, folders } = imagine(t, {
      path: [{ chrome: VERSION, 'google-chrome': VERSION }, { chromium: VERSION }, { chromium: VERSION }],
    })
    assert.equal(await findChromium(machine), join(folders[1] ?? '', 'chromium'))
  })

  test('a script that only says where to get a browser is passed over', async (t) => {
    const { machine, folders } = imagine(t, {
      path: [{ 'chromium-browser': 'Please install the chromium snap', 'google-chrome': VERSION }],
    })
    assert.equal(await findChromium(machine), join(folders[0] ?? '', 'google-chrome'))
  })
})

describe('installing a Chromium', () => {
  test('where there is none, the package manager at hand installs one, and whoever waits is told', async (t) => {
    const { machine, folders, commands, told } = imagine(t, {
      path: [{ 'apt-get': '' }],
      installer(_, place) {
        program(join(place, 'chromium'), VERSION)
        return done
      },
    })
    assert.equal(await provideChromium(machine), join(folders[0] ?? '', 'chromium'))
    assert.equal(commands.length, 1)
    assert.match(
      commands[0] ?? '',
      /^\/usr\/bin\/env DEBIAN_FRONTEND=noninteractive PATH=\S+\/usr\/sbin\S+ \/0\/apt-get .*install -y .*\bchromium\b/,
    )
    assert.deepEqual(told, ['Installing Chromium for the browser tests with apt-get (once) ...'])
  })

  test('Chromium without windows comes first, and the usual one where the package manager does not have it', async (t) => {
    const { machine, folders, commands } = imagine(t, {
      path: [{ 'apt-get': '' }],
      installer(command, place) {
        if (command.includes('chromium-headless-shell'))
          return { isDone: false, output: 'E: Unable to locate package chromium-headless-shell' }
        if (command.includes(' install ')) program(join(place, 'chromium'), VERSION)
        return done
      },
    })
    assert.equal(await provideChromium(machine), join(folders[0] ?? '', 'chromium'))
    assert.equal(commands.length, 4)
    program(join(folders[0] ?? '', 'chromium-headless-shell'), VERSION)
    assert.equal(await findChromium(machine), join(folders[0] ?? '', 'chromium-headless-shell'))
  })

  test('what the package manager does not know of, it is asked for again after an update', async (t) => {
    let isUpdated = false
    const { machine, folders, commands } = imagine(t, {
      path: [{ 'apt-get': '' }],
      installer(command, place) {
        if (command.endsWith(' update')) isUpdated = true
        else if (!isUpdated) return { isDone: false, output: 'E: Unable to locate package chromium' }
        else program(join(place, 'chromium'), VERSION)
        return done
      },
    })
    assert.equal(await provideChromium(machine), join(folders[0] ?? '', 'chromium'))
    assert.equal(commands.length, 3)
  })

  test('who is not root installs by sudo, which asks for nothing', async (t) => {
    const { machine, commands } = imagine(t, {
      path: [{ dnf: '', sudo: '' }],
      isRoot: false,
      installer: () => ({ isDone: false, output: 'sudo: a password is required\n' }),
    })
    await assert.rejects(
      provideChromium(machine),
      /and dnf did not install it \(sudo: a password is required\)/,
    )
    assert.match(commands[0] ?? '', /^\/0\/sudo -n .* \/0\/dnf install -y chromium/)
  })

  test('who may install nothing is told so', async (t) => {
    const { machine, commands } = imagine(t, { path: [{ 'apt-get': '' }], isRoot: false })
    await assert.rejects(provideChromium(machine), /and only root may install it with apt-get\./)
    assert.deepEqual(commands, [])
  })

  test('with an empty PATH there is one line that says what was looked for and what to do', async (t) => {
    const { machine } = imagine(t, {})
    await assert.rejects(provideChromium(machine), {
      message:
        'No Chromium for the browser tests: CHROMIUM_PATH names none, chromium-headless-shell, chromium, chromium-browser, google-chrome, ' +
        'google-chrome-stable, chrome are not on PATH or do not run, and there is none of apt-get, dnf, apk to install ' +
        'it. Install one, or name one: CHROMIUM_PATH=/path/to/chromium npm test',
    })
  })

  test('a program that does not end is not waited for', async () => {
    const { isDone, output } = await thisMachine().run('/bin/sh', ['-c', 'exec sleep 60'], 50)
    assert.deepEqual({ isDone, output }, { isDone: false, output: 'it took too long' })
  })
})
