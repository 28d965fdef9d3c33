import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { freePort } from '../cli/command.ts'
import { codeBlock, codeBlocks, ROOT } from '../support/markdown.ts'
import { HYDRANT, redirectCurl, run, start } from '../support/processes.ts'
import { temporaryFolder } from '../support/service.ts'

const PAGE = 'docs/requests.md'
const TEXT = readFileSync(join(ROOT, PAGE), 'utf8')

/** The bundled library, served at the address of the page for those who ask there by curl. */
async function serveLibrary(t: TestContext, ...flags: readonly string[]) {
  const folder = temporaryFolder(t)
  const port = await freePort()
  const base = ['--base-url', 'http://localhost:8080/api', '--port', String(port)]
  // A search without an index gets the time that it takes on a busy machine.
  const patient = ['--scan-time', '20s']
  const args = [HYDRANT, 'serve', '--log-format', 'pretty', ...patient, ...base, ...flags]
  const { output } = await start(t, args, /\n {2}curl .*\n/, { cwd: folder })
  const PASSPHRASE = /write it down:\n\n {2}(.+)\n/.exec(output())?.[1] ?? ''
  return { port, env: { ...redirectCurl(folder, 8080, port), PASSPHRASE } }
}

test('Every command of docs/requests.md works as printed, one after the other', async (t) => {
  const { env } = await serveLibrary(t)
  const blocks = codeBlocks(PAGE, 'sh').map((block) => `${block}\nprintf '\\036'`)
  const { status, stdout, stderr } = await run('bash', ['-ec', blocks.join('\n')], { env })
  assert.equal(status, 0, stderr)
  const [
    ,
    filtered,
    wrong,
    next,
    counted,
    included,
    partial,
    unchanged,
    turtle,
    csv,
    added,
    updated,
    minimal,
    linked,
    ...rest
  ] = stdout.split('\u001e').map((text) => text.trim())

  assert.equal(JSON.parse(filtered ?? '').totalItems, 3)
  assert.deepEqual(JSON.parse(wrong ?? ''), JSON.parse(codeBlock(PAGE, 'json', '400')))
  assert.equal(JSON.parse(next ?? '').member.length, 5)
  assert.match(JSON.parse(next ?? '').view['@id'], /[?&]after=/)
  assert.match(counted ?? '', /^preference-applied: count=exact\r?$/im)
  assert.equal(JSON.parse(included ?? '').member[0].author.name, 'Jane Austen')
  const { '@id': _, ...emma } = JSON.parse(partial ?? '').member[0]
  assert.deepEqual(Object.keys(emma), ['@type', 'title', 'author'])
  assert.deepEqual(Object.keys(emma.author), ['@id', '@type', 'name'])
  assert.equal(unchanged, '304')
  assert.match(turtle ?? '', /"Jane Austen"/)
  assert.match(csv ?? '', /^@id,title,.*\r\n[^,]*,Emma,/)
  assert.equal(added, '201\n201\n412')
  assert.equal(updated, '200\n412')
  assert.equal(minimal, '204')
  assert.equal(linked, '201')
  const [batch, lenient, problem, paths] = rest
  assert.match(paths ?? '', /\/books \/books\/\{id\}/)
  assert.match(JSON.parse(batch ?? '')['409'], /^operation\[3\]: /)
  assert.deepEqual(
    JSON.parse(lenient ?? '').operation.map(({ status }: { status: number }) => status),
    [409, 200],
  )
  const { status: code, violations } = JSON.parse(problem ?? '')
  assert.equal(code, 422)
  assert.deepEqual(violations.map(({ propertyPath }: { propertyPath: string }) => propertyPath).sort(), [
    'titel',
    'title',
  ])
})

/** The rows of the tables with an example: what is asked, and what the last column says of the answer. */
function examples(): [target: string, said: string][] {
  const rows = TEXT.matchAll(/^\|[^|]+\| `((?:books|authors)[^`]*)` \| ([^|]+) \|$/gm)
  return [...rows].map(([, target = '', said = '']) => [target, said])
}

test('Every example in the tables of docs/requests.md finds what the table says, for the operators of each type', async (t) => {
  const { port } = await serveLibrary(t, '--no-auth')
  const ask = async (target: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/${target}`)
    assert.equal(response.status, 200, target)
    return (await response.json()) as {
      totalItems: number
      member: { title: string }[]
      view: Record<string, string>
      search: { mapping: { variable: string }[] }
    }
  }
  const found = examples()
  assert.equal(found.length, 25)
  for (const [target, said] of found) {
    const { totalItems, member, view } = await ask(target)
    if (/^\d+$/.test(said)) assert.equal(totalItems, Number(said), target)
    else if (!target.includes('itemsPerPage')) assert.equal(member[0]?.title, said, target)
    else assert.match(view.next ?? '', target.includes('page=') ? /[?&]page=3/ : /[?&]after=/)
  }
  assert.equal((await ask('books?price=9.990')).totalItems, (await ask('books?price=9.99')).totalItems)
  assert.equal((await ask('books?title=emma')).totalItems, 0, 'case counts')
  assert.equal((await ask('books?q=rin')).totalItems, 0, 'q finds whole words')
  assert.equal((await ask('books?title.startsWith=the')).totalItems, 31, 'without regard to case')
  assert.ok('mapping' in (await ask('books')).search)
  assert.ok(!('search' in (await ask('books?page=1'))))
  const asJson = await fetch(`http://127.0.0.1:${port}/api/books`, {
    headers: { Accept: 'application/json' },
  })
  assert.ok(!('search' in ((await asJson.json()) as object)))

  // The operators of the page are those of each type.
  const { search } = await ask('books')
  const variables = search.mapping.map(({ variable }) => variable)
  for (const [type, property] of [
    ['`string`', 'title'],
    ['numbers', 'pages'],
    ['numbers', 'published'],
    ['numbers', 'createdAt'],
    ['`boolean`', 'available'],
    ['`boolean`', 'author'],
  ] as const) {
    const row = TEXT.split('\n').find((line) => line.startsWith(`| ${type}`) && line.includes('`ne`')) ?? ''
    const named = [...(row.split('|')[2] ?? '').matchAll(/`([^`]+)`/g)].map(([, operator]) =>
      operator === '=' ? property : `${property}.${operator}`,
    )
    // Paths beyond a link begin alike.
    const isPath = (name: string) => /^author\.(?:name|born)$/.test(name)
    const offered = variables.filter(
      (name) =>
        name === property || (name.startsWith(`${property}.`) && !name.endsWith('.exists') && !isPath(name)),
    )
    assert.deepEqual(offered, named, property)
  }
})
