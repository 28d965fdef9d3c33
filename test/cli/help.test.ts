import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { ROOT } from '../support/markdown.ts'
import { HYDRANT, hydrant as hydrantProcess, run } from '../support/processes.ts'
import { assertRefused, each, hydrant } from './command.ts'

const GROUPS = [[], ['user'], ['token']]
const COMMANDS = [
  ['serve'],
  ['init'],
  ['check'],
  ['vocab'],
  ['types'],
  ['import'],
  ['export'],
  ['backup'],
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
    assert.equal(flags.has('db'), !['init', 'types', 'vocab'].includes(words[0] ?? ''))
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

test('a process of its own prints the same and ends with the same status', async () => {
  await each([['--help'], ['check', 'missing.yaml'], ['serv'], []], async (args) => {
    assert.deepEqual(await hydrantProcess(args), await hydrant(args))
  })
})

test('a reader that closes standard output early is no failure', async () => {
  const child = spawn(process.execPath, [HYDRANT, 'serve', '--help'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  const [said, [status]] = await Promise.all([text(child.stderr), once(child, 'close')])
  assert.deepEqual([said, status], ['', 0])
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
    [['serve', 'a.yaml', 'b.yaml'], 'takes [api-file] and nothing else'],
    [['token', 'lits'], 'did you mean list?'],
  ]
  await each(rows, async ([args, part]) => {
    assertRefused(await hydrant(args), 2, part, '--help"')
  })
})

test('help loads the table of commands and the settings, and nothing that a command needs', async () => {
  const loader = join(import.meta.dirname, 'loaded-files.ts')
  await each([['--help'], ['serve', '--help'], ['user', 'add', '--help']], async (args) => {
    const { stderr } = await run(process.execPath, ['--import', loader, HYDRANT, ...args])
    const namesIn = (folder: string) =>
      [...stderr.matchAll(new RegExp(`^loaded file:.*/${folder}/(\\S+)$`, 'gm'))].map(
        ([, name]) => name ?? '',
      )
    const packages = new Set(namesIn('node_modules').map((name) => name.split('/')[0]))
    assert.deepEqual([...packages].toSorted(), ['commander', 'fastest-levenshtein', 'ipaddr.js'])
    const ours = namesIn('dist')
    assert.ok(ours.includes('cli/commands.js') && ours.length < 25, ours.join('\n'))
  })
})
