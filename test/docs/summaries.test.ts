import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '../cli/command.ts'
import { codeBlock, ROOT } from '../support/markdown.ts'
import { HYDRANT, redirectCurl, run, start } from '../support/processes.ts'
import { temporaryFolder } from '../support/service.ts'

const PAGE = 'docs/summaries.md'
const TEXT = readFileSync(join(ROOT, PAGE), 'utf8')

interface SummariesPage {
  readonly totalItems: number
  readonly member: readonly { readonly group: object; readonly count: number }[]
}

test('Every example of docs/summaries.md finds what the page says', async (t) => {
  const folder = temporaryFolder(t)
  const port = await freePort()
  const base = ['--base-url', 'http://localhost:8080/api', '--port', String(port)]
  const args = [HYDRANT, 'serve', '--no-auth', '--scan-time', '20s', '--log-format', 'pretty', ...base]
  await start(t, args, /\n {2}curl .*\n/, { cwd: folder })

  const rows = [...TEXT.matchAll(/^\| [^|]+ \| `(summaries\/[^`]*)` \| (\d+) \| ([^|]+) \|$/gm)]
  assert.equal(rows.length, 7)
  for (const [, target, total, first] of rows) {
    const response = await fetch(`http://127.0.0.1:${port}/api/${target}`)
    const { totalItems, member } = (await response.json()) as SummariesPage
    assert.equal(totalItems, Number(total), target)
    const [summary] = member
    assert.equal([...Object.values(summary?.group ?? {}), summary?.count].join(', '), first, target)
  }

  const env = redirectCurl(folder, 8080, port)
  const { status, stdout, stderr } = await run('bash', ['-ec', codeBlock(PAGE, 'sh', 'curl')], { env })
  assert.equal(status, 0, stderr)
  assert.deepEqual(JSON.parse(stdout).member, [JSON.parse(codeBlock(PAGE, 'json', 'Summary'))])
})
