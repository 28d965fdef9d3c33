import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { startClient } from '../support/client.ts'
import { ROOT } from '../support/markdown.ts'
import { HYDRANT, hydrant as hydrantProcess, run } from '../support/processes.ts'
import { assertRefused, each, folderWithApi, hydrant, serveIn } from './command.ts'

/** A device of Linux on which every write fails. */
const NO_FULL_DISK = existsSync('/dev/full') ? false : 'this system has no /dev/full'

const GROUPS = [[], ['user'], ['token']]
const COMMANDS = [
  ['serve'],
  ['init'],
  ['check'],
  ['vocab'],
  ['types'],
  ['conform'],
  ['mcp'],
  ['curl'],
  ['import'],
  ['export'],
  ['purge'],
  ['backup'],
  ['restore'],
  ['user', 'add'],
  ['user', 'list'],
  ['user', 'paraphrase'],
  ['user', 'remove'],
  ['token', 'list'],
  ['token', 'revoke'],
]

/** Each flag of a help text with all that is said about it, in one line. */
function flagsIn(help: string): Map<string, string> {
  const options = /^Options:\n([\s\S]*?)\n\n/m.exec(`${help}\n\n`)?.[1] ?? ''
  const entries = options.split(/\n(?= {2}-)/).map((entry) => entry.trim().replace(/\s+/g, ' '))
  return new Map(entries.map((entry) => [/--([\w-]+)/.exec(entry)?.[1] ?? '', entry]))
}

test('help of an unknown command is wrong usage, with the nearest command', async () => {
  for (const [args, ...parts] of [
    ['nothing --help', "unknown command 'nothing'", '"hydrant --help"'],
    ['--help nothing', "unknown command 'nothing'", '"hydrant --help"'],
    ['help nothing', "unknown command 'nothing'", '"hydrant --help"'],
    ['srve -h', "'srve' (did you mean serve?)"],
    ['help srve', "'srve' (did you mean serve?)"],
    ['user lst --help', "'lst' (did you mean list?)", '"hydrant user --help"'],
    ['help user lst', "'lst' (did you mean list?)", '"hydrant user --help"'],
  ] as const)
    assertRefused(await hydrant(args.split(' ')), 2, ...parts)
})

test('output for which the disk is full is a failure in one line', { skip: NO_FULL_DISK }, async () => {
  const rows = [
    ['--help'],
    ['serve', '--help'],
    ['serve', '-h'],
    ['vocab', 'examples/library.yaml'],
    ['types', 'examples/library.yaml'],
  ]
  await each(rows, async (args) => {
    const full = openSync('/dev/full', 'w')
    const child = spawn(process.execPath, [HYDRANT, ...args], { cwd: ROOT, stdio: ['ignore', full, 'pipe'] })
    closeSync(full)
    const [said, [status]] = await Promise.all([text(child.stderr as Readable), once(child, 'close')])
    assert.equal(status, 1)
    assert.match(said, /^hydrant: standard output: its disk is full[^\n]*\n$/)
  })
})

test('a server goes on where the disk of its standard output is full', { skip: NO_FULL_DISK }, async (t) => {
  const full = openSync('/dev/full', 'w')
  const flags = ['--port', '0', '--console-port', 'off', '--no-auth', '--log-format', 'pretty']
  const child = spawn(process.execPath, [HYDRANT, 'serve', 'api.yaml', ...flags], {
    cwd: folderWithApi(t),
    stdio: ['ignore', full, 'pipe'],
  })
  t.after(() => child.kill('SIGKILL'))
  closeSync(full)
  let said = ''
  for await (const chunk of (child.stderr as Readable).setEncoding('utf8')) {
    said += chunk
    if (said.includes('serving')) child.kill('SIGTERM')
  }
  assert.match(said, /stopping; requests in flight are finished/)
  assert.equal(child.exitCode ?? (await once(child, 'close'))[0], 0)
})

// contract: One program, `hydrant`.
// contract: `--help` on every command
test('the help of every command exits 0 and shows its usage and an example', async () => {
  await each([...GROUPS, ...COMMANDS], async (words) => {
    const { status, stdout, stderr } = await hydrant([...words, '--help'])
    const name = ['hydrant', ...words].join(' ')
    assert.equal(status, 0)
    assert.equal(stderr, '')
    assert.ok(stdout.startsWith(`Usage: ${name} `), stdout)
    assert.match(stdout, new RegExp(`\\nExamples?:\\n  .*${name}`), stdout)
  })
})

// contract: Every flag but `--help` and `--version`
// contract: `--help` on every command
// contract: `--db` ¦ `sqlite:hydrant.db` ¦
test('help has the default and the environment variable of every flag', async () => {
  await each(COMMANDS, async (words) => {
    const flags = flagsIn((await hydrant([...words, '--help'])).stdout)
    flags.delete('help')
    // Those that touch no data.
    assert.equal(
      flags.has('db'),
      !['init', 'types', 'conform', 'mcp', 'curl', 'vocab'].includes(words[0] ?? ''),
    )
    for (const [flag, text] of flags) {
      if (flag.startsWith('no-')) continue
      assert.match(text, /\(default: [^;]+; HYDRANT_\w+\)$/)
      assert.ok(text.endsWith(`; HYDRANT_${flag.toUpperCase().replaceAll('-', '_')})`), text)
    }
  })
})

test('"hydrant help" in front of a command is the help of that command', async () => {
  await each([[], ['serve'], ['check'], ['user'], ['user', 'add']], async (words) => {
    const help = await hydrant(['help', ...words])
    assert.deepEqual(help, await hydrant([...words, '--help']))
  })
})

test('"hydrant help" in front of an unknown command is refused like that command', async () => {
  await each([['frobnicate'], ['serv'], ['user', 'frobnicate'], ['token', 'lits']], async (words) => {
    const help = await hydrant(['help', ...words])
    assertRefused(help, 2, `unknown command '${words.at(-1)}'`, '--help"')
    assert.deepEqual(help, await hydrant(words))
  })
})

test('a process of its own prints the same and ends with the same status', async () => {
  await each([['--help'], ['check', 'missing.yaml'], ['serv'], []], async (args) => {
    assert.deepEqual(await hydrantProcess(args), await hydrant(args))
  })
})

test('a reader that closes standard output or standard error early changes nothing', async () => {
  // Each prints there.
  const rows = [
    ['stdout', ['serve', '--help'], 0],
    ['stdout', ['vocab', 'examples/library.yaml'], 0],
    ['stdout', ['check', 'missing.yaml'], 1],
    ['stderr', ['check', 'missing.yaml'], 1],
    ['stderr', ['user', 'add', 'one'], 2],
  ] as const
  await each(rows, async ([closed, args, expected]) => {
    const options = { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'] }
    const child = spawn(process.execPath, [HYDRANT, ...args], options)
    child[closed].destroy()
    const other = child[closed === 'stdout' ? 'stderr' : 'stdout']
    const [said, [status]] = await Promise.all([text(other), once(child, 'close')])
    assert.deepEqual([status, said.includes('EPIPE')], [expected, false], `${args}: ${said}`)
  })
})

// contract: One program, `hydrant`.
test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  assert.deepEqual(await hydrant(['--version']), { status: 0, stdout: `${version}\n`, stderr: '' })
})

test('without a command the usage is shown on standard error, with status 2', async () => {
  await each(GROUPS, async (words) => {
    const { status, stdout, stderr } = await hydrant(words)
    assert.equal(status, 2)
    assert.equal(stdout, '')
    assert.match(stderr, /^Usage: hydrant /)
  })
})

// contract: Exit status: 0 done
test('an unknown command, flag or argument is wrong usage, and a near one is proposed', async () => {
  const rows: readonly (readonly [readonly string[], string])[] = [
    [['frobnicate'], "unknown command 'frobnicate'"],
    [['serv'], 'did you mean serve?'],
    [['--frobnicate'], "unknown option '--frobnicate'"],
    [['serve', '--prot', '1'], 'did you mean --port?'],
    [['serve', '--auth=off'], "'--auth' takes no value; give --auth for on, or --no-auth for off"],
    [['serve', '--no-auth=on'], "'--no-auth' takes no value; give --auth for on, or --no-auth for off"],
    [['--version=1'], `'--version' takes no value; "hydrant --help"`],
    [['--help=1'], `'--help' takes no value; "hydrant --help"`],
    [['serve', '--help=1'], `'--help' takes no value; "hydrant serve --help"`],
    [['serve', '--version=1'], `'--version' takes no value; "hydrant serve --help"`],
    [['serve', 'a.yaml', 'b.yaml'], 'takes [api-file] and nothing else'],
    [['token', 'lits'], 'did you mean list?'],
  ]
  await each(rows, async ([args, part]) => {
    assertRefused(await hydrant(args), 2, part, '--help"')
  })
})

const LOADER = join(import.meta.dirname, 'loaded-files.ts')

/** What `loaded-files.ts` has printed, below a folder. */
const loadedFrom = (folder: string, stderr: string): string[] =>
  [...stderr.matchAll(new RegExp(`^loaded file:.*/${folder}/(\\S+)$`, 'gm'))].map(([, name]) => name ?? '')

const packagesIn = (stderr: string): string[] =>
  [...new Set(loadedFrom('node_modules', stderr).map((name) => name.split('/')[0] ?? ''))].toSorted()

test('help loads the table of commands and the settings, and nothing that a command needs', async () => {
  await each([['--help'], ['serve', '--help'], ['user', 'add', '--help']], async (args) => {
    const { stderr } = await run(process.execPath, ['--import', LOADER, HYDRANT, ...args])
    assert.deepEqual(packagesIn(stderr), ['commander', 'fastest-levenshtein', 'ipaddr.js'])
    const ours = loadedFrom('dist', stderr)
    // The whole program has 2 MB.
    const bytes = ours.reduce((sum, file) => sum + statSync(join(ROOT, 'dist', file)).size, 0)
    assert.ok(ours.includes('cli/program.js') && bytes <= 100_000, `${bytes} bytes: ${ours.join(', ')}`)
  })
})

test('a server loads what a pattern, a terminal or another port needs when there is one', async (t) => {
  const api =
    'classes:\n  Book:\n    properties:\n      title: { type: string, maxLength: 9 }\n      read: { type: boolean, default: false }\n'
  const args = ['--no-auth', '--console-port', 'off']
  const server = await serveIn(t, folderWithApi(t, api), args, { NODE_OPTIONS: `--import ${LOADER}` })
  assert.equal((await startClient(server).send('GET', '/books')).status, 200)
  const later = ['@scure', 'cli-progress', 'jsonld', 'n3', 'pino-pretty', 'postgres', 'prom-client', 're2js']
  const loaded = packagesIn(server.stderr())
  assert.ok(loaded.includes('pino'))
  assert.deepEqual(
    loaded.filter((name) => later.includes(name)),
    [],
  )
  assert.match(server.stderr(), /^loaded node:net$/m)
  assert.doesNotMatch(server.stderr(), /^loaded node:tls$/m)
  await server.stop()
})
