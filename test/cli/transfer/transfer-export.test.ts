import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { HYDRANT, run } from '../../support/processes.ts'
import { assertRefused, each, folderWithApi, hydrant } from '../command.ts'
import { openTerminal } from '../terminal.ts'

const LINES =
  '{"@id":"http://localhost:8080/api/authors/1","@type":"Author","name":"a"}\n' +
  '{"@id":"http://localhost:8080/api/authors/2","@type":"Author","name":"b"}\n'

async function folderWithMembers(t: TestContext, lines = LINES): Promise<string> {
  const folder = folderWithApi(t)
  const imported = await hydrant(['import', 'api.yaml', '-'], { cwd: folder, input: lines })
  assert.equal(imported.status, 0, imported.stderr)
  return folder
}

// contract: Output meant for programs is available with `--json`.
// contract: `hydrant import <api-file> <data>` / `export
test('members go to standard output, or to a file, whose ending says how they are written', async (t) => {
  const folder = await folderWithMembers(t)
  const args = ['export', 'api.yaml']
  const summary = (place: string) => `2 members written to ${place}.\n`
  for (const more of [[], ['-']]) {
    const { stdout, stderr, status } = await hydrant([...args, ...more], { cwd: folder })
    assert.deepEqual(
      { stdout, stderr, status },
      { stdout: LINES, stderr: summary('standard output'), status: 0 },
    )
  }
  const toFile = await hydrant([...args, 'out.ndjson'], { cwd: folder })
  assert.deepEqual(toFile, { stdout: summary('out.ndjson'), stderr: '', status: 0 })
  assert.equal(readFileSync(join(folder, 'out.ndjson'), 'utf8'), LINES)
  const again = await hydrant([...args, 'out.ndjson'], { cwd: folder })
  assert.equal(again.stdout, '2 members written to out.ndjson, in place of what was there.\n')
  assert.equal(readFileSync(join(folder, 'out.ndjson'), 'utf8'), LINES)

  const document = await hydrant([...args, '--format', 'jsonld'], { cwd: folder })
  const forPrograms = await hydrant([...args, 'out.jsonld', '--json'], { cwd: folder })
  assert.equal(forPrograms.stdout, '{"members":2}\n')
  assert.equal(readFileSync(join(folder, 'out.jsonld'), 'utf8'), document.stdout)
  assert.equal(JSON.parse(document.stdout)['@graph'].length, 2)
})

// contract: `hydrant export <api-file> --class Book books.csv`
test('CSV has the members of one class, which --class or the name of the file says, and can be imported', async (t) => {
  const lines = LINES.replace('"name":"b"', '"name":"=b, c"')
  const folder = await folderWithMembers(t, lines)
  const address = 'http://localhost:8080/api/authors'
  const table = (name: string, header = '@id') =>
    `${header},name,born\r\n${address}/1,a,\r\n${address}/2,"${name}",\r\n`
  const exported = async (...args: string[]) => {
    const { stderr, status } = await hydrant(['export', 'api.yaml', ...args], { cwd: folder })
    assert.deepEqual([stderr, status], ['', 0], args.join(' '))
    return readFileSync(join(folder, args.at(-1) ?? ''), 'utf8')
  }
  assert.equal(await exported('--class', 'Author', 'x.csv'), table('=b, c'))
  assert.equal(await exported('authors.csv'), table('=b, c'))
  assert.equal(await exported('--class', 'Author', 'x.ndjson'), lines)
  assert.equal(await exported('--spreadsheet', 'Author.csv'), table("'=b, c", "'@id"))
  const toOutput = await hydrant(['export', 'api.yaml', '--class', 'Author', '--format', 'csv'], {
    cwd: folder,
  })
  assert.equal(toOutput.stdout, table('=b, c'))

  const into = ['import', 'api.yaml', '--db', 'sqlite:other.db', '--json']
  const imported = await hydrant([...into, '--spreadsheet', 'Author.csv'], { cwd: folder })
  assert.equal(JSON.parse(imported.stdout).added, 2, imported.stderr)
  const again = await hydrant(['export', 'api.yaml', '--db', 'sqlite:other.db'], { cwd: folder })
  assert.equal(again.stdout, lines)

  const refused: [args: string[], message: RegExp][] = [
    [['--class', 'Auther', 'x.csv'], /--class: "Auther" is not a class; did you mean "Author"/],
    [['--class', 'Auther', 'x.ndjson'], /--class: "Auther" is not a class/],
  ]
  for (const [args, message] of refused) {
    const { stderr, status } = await hydrant(['export', 'api.yaml', ...args], { cwd: folder })
    assert.equal(status, 2, stderr)
    assert.match(stderr, message)
  }
})

test('addresses are those below --base-url', async (t) => {
  const folder = await folderWithMembers(t)
  const args = ['export', 'api.yaml', '--base-url', 'https://example.org/x/']
  const { stdout } = await hydrant(args, { cwd: folder })
  assert.equal(stdout, LINES.replaceAll('http://localhost:8080/api', 'https://example.org/x'))
})

test('a file is replaced when the export is complete: its mode stays, and so does the link to it', async (t) => {
  const folder = await folderWithMembers(t)
  const real = join(folder, 'real.ndjson')
  writeFileSync(real, 'old')
  chmodSync(real, 0o640)
  symlinkSync('real.ndjson', join(folder, 'link.ndjson'))
  assert.equal((await hydrant(['export', 'api.yaml', 'link.ndjson'], { cwd: folder })).status, 0)
  assert.equal(readFileSync(real, 'utf8'), LINES)
  assert.equal(statSync(real).mode & 0o777, 0o640)
  assert.deepEqual(readdirSync(folder).toSorted(), ['api.yaml', 'hydrant.db', 'link.ndjson', 'real.ndjson'])
})

test('what is no file is written to as it is', async (t) => {
  const folder = await folderWithMembers(t)
  const script = `mkfifo pipe.ndjson; cat pipe.ndjson & ${process.execPath} ${HYDRANT} export api.yaml pipe.ndjson >&2; wait`
  const { stderr, stdout } = await run('bash', ['-c', script], { cwd: folder })
  assert.equal(stdout, LINES)
  assert.equal(stderr, '2 members written to pipe.ndjson.\n')
  assert.ok(statSync(join(folder, 'pipe.ndjson')).isFIFO())
})

test('an export that is interrupted leaves the file as it was, and nothing half written beside it', async (t) => {
  const lines = Array.from({ length: 3_000 }, (_, id) => `{"@type":"Author","name":"${id}"}\n`)
  const folder = await folderWithMembers(t, lines.join(''))
  writeFileSync(join(folder, 'out.ndjson'), 'old')
  const args = [
    '--import',
    join(import.meta.dirname, '../kill-at.ts'),
    HYDRANT,
    'export',
    'api.yaml',
    'out.ndjson',
  ]
  for (const { signal, beside } of [
    { signal: 'SIGTERM', beside: 0 },
    { signal: 'SIGINT', beside: 0 },
    // Nobody can tidy up behind this one.
    { signal: 'SIGKILL', beside: 1 },
  ]) {
    const env = { KILL_AT: '3 ^SELECT .*\\bbody\\b', KILL_WITH: signal }
    const { status, stdout, stderr } = await run(process.execPath, args, { cwd: folder, env })
    assert.deepEqual({ status, stdout, stderr }, { status: null, stdout: '', stderr: '' })
    assert.equal(readFileSync(join(folder, 'out.ndjson'), 'utf8'), 'old')
    assert.equal(readdirSync(folder).filter((name) => name.endsWith('.part')).length, beside)
  }
})

test('what cannot be exported is said in one line', async (t) => {
  const folder = await folderWithMembers(t)
  mkdirSync(join(folder, 'folder.json'))
  const rows: readonly (readonly [args: readonly string[], status: number, ...parts: string[]])[] = [
    [['export'], 2, "missing required argument 'api-file'"],
    [['export', 'api.yaml', 'out.txt'], 2, 'ends in .ndjson', '--format'],
    [['export', 'api.yaml', 'out.xlsx'], 2, 'ends in .ndjson', '--format'],
    [['export', 'api.yaml', '--db', 'sqlite:none.db'], 1, 'none.db', '--db'],
    [['export', 'api.yaml', 'folder.json'], 1, 'folder.json: '],
    [['export', 'api.yaml', 'none/out.json'], 1, 'none/out.json: '],
  ]
  await each(rows, async ([args, status, ...parts]) => {
    assertRefused(await hydrant(args, { cwd: folder }), status, ...parts)
  })
})

test('a reader that goes away before the end is told of in one line', async (t) => {
  const lines = Array.from({ length: 3_000 }, (_, id) => `{"@type":"Author","name":"${id}"}\n`)
  const folder = await folderWithMembers(t, lines.join(''))
  const script = `${process.execPath} ${HYDRANT} export api.yaml | head -n 1; exit \${PIPESTATUS[0]}`
  const { status, stdout, stderr } = await run('bash', ['-c', script], { cwd: folder })
  assert.equal(stdout.split('\n').length, 2)
  assert.equal(status, 1)
  assert.match(stderr, /^hydrant: Standard output [^\n]+\n$/)
})

// contract: `hydrant import <api-file> <data>` / `export
test('on a terminal there is a progress bar', async (t) => {
  const folder = await folderWithMembers(t)
  const terminal = openTerminal(t, ['export', 'api.yaml', 'out.ndjson'], folder)
  assert.equal(await terminal.ended, 0)
  assert.match(terminal.screen(), /100% 2 of 2/)
  assert.match(terminal.screen(), /2 members written to out\.ndjson\./)
})
