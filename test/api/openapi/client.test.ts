import assert from 'node:assert/strict'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { generate } from 'openapi-typescript-codegen'
import { codeBlock, ROOT } from '../../support/markdown.ts'
import { run } from '../../support/processes.ts'
import { temporaryFolder } from '../../support/service.ts'
import { CREATE } from '../newsroom.ts'
import { serveWriter } from '../writing.ts'

const PROGRAM = `
export { addBook } from './books'
import { ApiError, BookService, GeneralResourcesService, OpenAPI, type Book_batch_create, type batch_request, type change_event } from './client/index'

export async function main(base: string, token: string): Promise<unknown[]> {
  OpenAPI.BASE = base
  OpenAPI.HEADERS = { 'X-Authorization': token }
  const { books, batch, collection } = await GeneralResourcesService.getEntryPoint({})
  const made = await BookService.createBook({ requestBody: { title: 'Made', pages: 700 } })
  const id = made['@id'].split('/').pop() ?? ''
  const page = await BookService.listBook({ pagesGte: 600, orderTitle: 'asc', sort: undefined })
  const changed = await BookService.updateBook({ id, requestBody: { pages: null, title: 'Changed' } })
  const conflict = await BookService.updateBook({ id, ifMatch: '"1-old"', requestBody: { title: 'Lost' } }).catch(
    (error: ApiError) => error.status,
  )
  const book: Book_batch_create = { method: 'POST', target: 'books', body: { title: 'Second', author: '_:ann' } }
  const requestBody: batch_request = {
    operation: [{ method: 'POST', target: 'authors', id: '_:ann', body: { name: 'Ann' } }, book],
  }
  const { operation } = await GeneralResourcesService.carryOutBatch({ requestBody })
  const results = operation.map((one) => ('detail' in one ? one.detail : one.status))
  const lenient = await GeneralResourcesService.carryOutBatch({
    requestBody: { operation: [{ method: 'DELETE', target: 'books/none' }] },
    prefer: 'handling=lenient',
  })
  const failed = lenient.operation.map((one) => one.status)
  const second = operation[1]
  const location = second !== undefined && 'location' in second ? second.location : undefined
  const included = await BookService.readBook({ id: location?.split('/').pop() ?? '', include: ['author'] })
  const { author } = included
  const name = typeof author === 'object' ? author.name : author
  const { member } = await GeneralResourcesService.followChanges({ collection: ['books'], include: 'object' })
  const titles = member.map(({ '@type': type, object }: change_event) => [type, 'title' in object ? object.title : ''])
  await BookService.deleteBook({ id })
  const gone = await BookService.readBook({ id }).catch((error: ApiError) => error.status)
  return [
    [made.title, page.member.map(({ title }) => title), changed.pages ?? null, changed.title, conflict, gone],
    [books === base + '/books', batch === base + '/batch', collection.length],
    [results, failed, name, titles],
  ]
}
`

const WRONG = `
// @ts-expect-error A book has no body of an author.
export const one: batch_request = { operation: [{ method: 'POST', target: 'books', body: { name: 'x' } }] }
// @ts-expect-error There is no such collection.
export const two: batch_request = { operation: [{ method: 'POST', target: 'book', body: { title: 'x' } }] }
// @ts-expect-error Nothing is read in a batch.
export const three: batch_request = { operation: [{ method: 'GET', target: 'books/1' }] }
`

const COMPILER = '--ignoreConfig --noEmit --strict --target es2022 --module esnext --moduleResolution bundler'

test('a generated client compiles, is typed throughout, and works', async (t) => {
  const writer = await serveWriter(t)
  await writer.put('/books/short', { title: 'Short', pages: 3 }, CREATE)
  await writer.put('/books/long', { title: 'Long', pages: 800 }, CREATE)
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'client'))
  await generate({
    input: JSON.parse((await writer.get('/openapi')).body),
    output: join(folder, 'client'),
    httpClient: 'fetch',
    useOptions: true,
    useUnionTypes: true,
  })
  const files = globSync('client/{models,services}/*.ts', { cwd: folder })
  const untyped = files.filter((file) => {
    const code = readFileSync(join(folder, file), 'utf8').replaceAll(/\/\*.*?\*\//gs, '')
    return /\bany\b|\bunknown\b|Record<string, never>/.test(code)
  })
  // The document itself is for programs that know OpenAPI.
  assert.deepEqual(untyped, [join('client', 'models', 'openapi_document.ts')])
  const [program, wrong] = [join(folder, 'program.ts'), join(folder, 'wrong.ts')]
  writeFileSync(join(folder, 'books.ts'), codeBlock('docs/clients.md', 'ts', 'addBook'))
  writeFileSync(program, PROGRAM)
  writeFileSync(wrong, WRONG)
  const tsc = await run(process.execPath, [
    join(ROOT, 'node_modules/.bin/tsc'),
    ...COMPILER.split(' '),
    '--lib',
    'es2022,dom',
    program,
    wrong,
  ])
  assert.deepEqual([tsc.status, tsc.stdout], [0, ''])
  const outfile = join(folder, 'program.mjs')
  // It would load a package for forms, which no request of ours is; Node.js has the class itself.
  await build({
    entryPoints: [program],
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile,
    logLevel: 'silent',
  })
  const { main, addBook } = await import(pathToFileURL(outfile).href)
  const token = await writer.client.signIn()
  assert.deepEqual(await main(writer.base, token), [
    ['Made', ['Long', 'Made'], null, 'Changed', 412, 404],
    [true, true, 2],
    [
      [201, 201],
      [404],
      'Ann',
      [
        ['Create', 'Short'],
        ['Create', 'Long'],
        ['Create', 'Changed'],
        // A page has each member in full once.
        ['Update', ''],
        ['Create', 'Second'],
      ],
    ],
  ])
  assert.deepEqual(await addBook(writer.base, token), ['Ancillary Justice, Ann Leckie'])
})
