import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { createHydrant, HttpError } from '../../src/library/index.ts'
import { each, freePort } from '../cli/command.ts'
import { codeBlock, codeBlocks, ROOT } from '../support/markdown.ts'
import { run, start } from '../support/processes.ts'
import { temporaryFolder } from '../support/service.ts'
import { installHydrant, linkInstalled } from './packed.ts'

const PAGE = 'docs/library.md'
const FILES = ['api.yaml', 'hooks.ts', 'shop.test.ts', 'followers.ts']
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')

// contract: A hook that blocks the thread blocks the process
test('docs/library.md shows the files of examples/shop, and warns of what blocks', () => {
  assert.match(readFileSync(join(ROOT, PAGE), 'utf8'), /A hook that blocks the thread blocks the process/)
  const blocks = ['yaml', 'ts'].flatMap((language) => codeBlocks(PAGE, language))
  assert.deepEqual(
    blocks,
    FILES.map((file) => readFileSync(join(ROOT, 'examples/shop', file), 'utf8')),
  )
})

/** Installs what `npm pack` would publish, and returns the command. */
async function install(folder: string): Promise<string> {
  const { home: hydrant } = await installHydrant(folder)
  linkInstalled(folder, ['@types'])
  mkdirSync(join(folder, 'node_modules/.bin'))
  symlinkSync(join(hydrant, 'dist/cli/main.js'), join(folder, 'node_modules/.bin/hydrant'))
  return join(folder, 'node_modules/.bin/hydrant')
}

// contract: `hydrant serve --with hooks.ts` takes the same
// contract: `--with` ¦
// contract: `hydrant types` gives the types of members
// contract: Types are complete and documented with examples
test('each step of docs/library.md works from the packed package in an empty project', async (t) => {
  const folder = temporaryFolder(t)
  const hydrant = await install(folder)
  const packed = join(folder, 'node_modules/hydrant')
  assert.ok(existsSync(join(packed, PAGE)))
  for (const file of FILES) cpSync(join(packed, 'examples/shop', file), join(folder, file))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const env = { PATH: `${dirname(hydrant)}:${dirname(process.execPath)}:${process.env.PATH}` }
  const commands = codeBlocks(PAGE, 'sh')
    .join('')
    .trim()
    .split('\n')
    .map((line) => line.replace('npx ', ''))
  assert.equal(commands.length, 5)
  for (const command of commands.slice(0, 3)) {
    const { status, stdout, stderr } = await run('bash', ['-ec', command], { cwd: folder, env })
    assert.equal(status, 0, `${command}\n${stdout}${stderr}`)
  }
  assert.equal(
    readFileSync(join(folder, 'api.ts'), 'utf8'),
    readFileSync(join(ROOT, 'examples/shop/api.ts'), 'utf8'),
  )

  const hooks = readFileSync(join(folder, 'hooks.ts'), 'utf8')
  const wrong = hooks
    .replace('member.total = (cents', 'member.totl = (cents')
    .replace('member.status', 'member.state')
  writeFileSync(
    join(folder, 'wrong.ts'),
    wrong.replace('find(product)', "find(product, 'more')").replace("'products'", "'product'"),
  )
  const followers = readFileSync(join(folder, 'followers.ts'), 'utf8')
  writeFileSync(join(folder, 'wrong-follower.ts'), followers.replace("['Order']", "['Ordre']"))
  writeFileSync(join(folder, 'tsconfig.json'), codeBlock(PAGE, 'json', 'compilerOptions'))
  const flags = ['--pretty', 'false', '--skipLibCheck']
  const compiled = await run(process.execPath, [TSC, ...flags], { cwd: folder })
  const errors = [...compiled.stdout.matchAll(/^(\S+?)\(\d+,\d+\): error .*$/gm)]
  assert.deepEqual(
    [...new Set(errors.map(([, file]) => file))].sort(),
    ['wrong-follower.ts', 'wrong.ts'],
    compiled.stdout,
  )
  for (const name of ["'totl'", "'state'", '"product"', '"Ordre"'])
    assert.ok(compiled.stdout.includes(name), compiled.stdout)

  // A folder without packages, which finds the installed one (library.md, --with).
  const elsewhere = temporaryFolder(t)
  writeFileSync(join(elsewhere, 'hooks.cjs'), "require('hydrant')\nmodule.exports = { hooks: { Order: {} } }")
  writeFileSync(join(elsewhere, 'api.yaml'), 'classes: { Order: { properties: { text: string } } }')
  const found = await run(hydrant, ['check', 'api.yaml', '--with', 'hooks.cjs'], { cwd: elsewhere, env })
  assert.equal(found.status, 0, found.stderr)

  await eachMount(t, folder)

  // Followers come with the same hooks.
  const [, ...args] = (commands[4] ?? '').split(' ')
  const more = ['--port', '0', '--console-port', 'off', '--no-auth', '--log-format', 'pretty']
  const { output } = await start(t, [hydrant, ...args, ...more], /listening on \S+\n/, { cwd: folder })
  const base = /listening on (\S+)/.exec(output())?.[1] ?? ''
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
  const body = '{"customer":"Ann"}'
  const response = await fetch(`${base}/orders`, { method: 'POST', headers, body })
  assert.deepEqual(
    [response.status, await response.text()],
    [422, '{"422": "lines: an order has at least one line."}'],
  )
  const add = async (path: string, values: object) => {
    const added = await fetch(`${base}/${path}`, { method: 'POST', headers, body: JSON.stringify(values) })
    return (await added.json()) as { readonly '@id': string }
  }
  const { '@id': product } = await add('products', { name: 'Tea', price: '2.50' })
  await add('orders', { customer: 'Ann', lines: [{ product, quantity: 3 }] })
  const outbox = join(folder, 'outbox')
  const mails = () =>
    existsSync(outbox) ? readdirSync(outbox).map((file) => readFileSync(join(outbox, file), 'utf8')) : []
  while (mails().join('') === '') await wait(50)
  assert.deepEqual(mails(), ['Dear Ann, thank you for 7.50.\n'])
})

/** Runs the examples of "In another server" in a folder with the package. */
async function eachMount(t: TestContext, folder: string): Promise<void> {
  linkInstalled(folder, ['express', 'fastify', 'koa'])
  const examples = codeBlocks(PAGE, 'js').filter((one) => one.includes('baseUrl'))
  assert.equal(examples.length, 4)
  await each([...examples.entries()], async ([index, example]) => {
    const port = await freePort()
    const own = example.replaceAll('3000', String(port)).replace('sqlite:shop.db', 'sqlite::memory:')
    // Without users, so that the requests need no exchange, and with a line that says that it listens.
    const text = `${own.replace('baseUrl:', 'auth: false, baseUrl:')}\nconsole.log('started')\n`
    writeFileSync(join(folder, `mount${index}.mjs`), text)
    const server = await start(t, [`mount${index}.mjs`], /started/, { cwd: folder })
    const at = (path: string, init?: RequestInit) => fetch(`http://localhost:${port}${path}`, init)
    assert.equal(await (await at('/')).text(), 'Hello')
    for (const path of ['/api', '/api/', '/api?x=1']) assert.notEqual((await at(path)).status, 404, path)
    const body = '{"name":"Tea","price":"2.50"}'
    const made = await at('/api/products', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    })
    assert.equal(made.status, 201)
    const member = new URL(made.headers.get('Location') ?? '')
    assert.equal(member.port, String(port))
    assert.equal((await fetch(member, { method: 'HEAD' })).status, 200)
    assert.equal((await at('/api/nothing')).status, 404)
    await server.stop('SIGKILL')
  })
}

test('the transaction of docs/library.md takes from the stock and adds an order, or does neither', async (t) => {
  const [block = ''] = codeBlocks(PAGE, 'js').filter((one) => one.includes('members.transaction'))
  const hydrant = await createHydrant({
    ...{
      apiFile: join(ROOT, 'examples/shop/api.yaml'),
      db: 'sqlite::memory:',
      auth: false,
      logLevel: 'error',
    },
  })
  t.after(hydrant.close)
  const { '@id': id } = await hydrant.members('products').add({ name: 'Tea', price: '2.50', stock: 1 })
  const order = new Function(
    ...['hydrant', 'HttpError', 'id', 'customer'],
    `return (async () => { ${block} })()`,
  ) as (...args: unknown[]) => Promise<void>
  await order(hydrant, HttpError, id, 'Ann')
  await assert.rejects(order(hydrant, HttpError, id, 'Bob'), { status: 409 })
  assert.equal((await hydrant.members('products').find(id))?.stock, 0)
  assert.deepEqual((await hydrant.members('orders').list()).total, 1)
})
