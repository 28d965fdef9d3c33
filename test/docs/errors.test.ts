import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ERRORS_PAGE, withErrorCodes } from '../../tools/error-codes.ts'
import { serveSignedIn } from '../api/signed-in.ts'
import { codeBlocks, ROOT } from '../support/markdown.ts'

const PAGE = 'docs/errors.md'

test('docs/errors.md has every code', () => {
  const page = readFileSync(ERRORS_PAGE, 'utf8')
  assert.equal(page, withErrorCodes(page), 'write it anew: node tools/error-codes.ts')
})

test('The errors in docs/errors.md are as printed there', async (t) => {
  const api = readFileSync(join(ROOT, 'examples/library.yaml'), 'utf8')
  const { get } = await serveSignedIn(t, { api, flags: { baseUrl: 'http://localhost:8080/api' } })
  const [plain, problem] = codeBlocks(PAGE, 'json')
  const commands = codeBlocks(PAGE, 'sh')
  assert.equal(commands.length, 2)
  const bodies = commands.map(async (command) => {
    const [, path = ''] = /"\$API(\/[^"]+)"/.exec(command) ?? []
    const [, accept] = /'Accept: ([^']+)'/.exec(command) ?? []
    return (await get(path, accept === undefined ? {} : { Accept: accept })).json()
  })
  const [first, { '@context': context, ...second }] = (await Promise.all(bodies)) as [
    object,
    Record<string, unknown>,
  ]
  assert.ok(context)
  assert.deepEqual(first, JSON.parse(plain ?? ''))
  assert.deepEqual(second, JSON.parse((problem ?? '').replace('"@context": {…},', '')))
})
