import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { CONFORM_PAGE, sentenceOf, withRules } from '../../tools/conform-rules.ts'
import { brokenApi, findingsIn } from '../conform/fixtures.ts'
import { codeBlock } from '../support/markdown.ts'

const PAGE = 'docs/conform.md'

test('docs/conform.md has every rule', () => {
  const page = readFileSync(CONFORM_PAGE, 'utf8')
  assert.equal(page, withRules(page), 'write it anew: node tools/conform-rules.ts')
})

test('the findings in docs/conform.md are those of an API with these mistakes', async () => {
  const api = brokenApi('OperationWithoutMethod', 'NoTotal')
  const found = (await findingsIn(api)).map(({ address: _, ...finding }) => finding)
  const shown = found.map((one) => `${one.term}: ${sentenceOf(one.code, one.values)}`)
  const text = codeBlock(PAGE, 'text', 'Wrong:')
  assert.deepEqual(
    [...text.matchAll(/^ {2}(\S.*)$/gm)].map(([, line]) => line),
    shown,
  )
  const [printed] = JSON.parse(codeBlock(PAGE, 'json', 'findings')).findings
  const { values: _, ...second } = found[1] ?? { values: {} }
  assert.deepEqual({ ...printed, address: '', sentence: '' }, { ...second, address: '', sentence: '' })
  assert.equal(`${printed.term}: ${printed.sentence}`, shown[1])
})
