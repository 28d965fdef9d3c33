import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { buildConsole } from '../../tools/build-console.ts'
import { temporaryFolder } from '../support/service.ts'

test('the console is below 200 kB compressed, and loads nothing from elsewhere', async (t) => {
  const folder = temporaryFolder(t)
  await buildConsole(folder)
  const files = readdirSync(folder).map((name) => ({ name, bytes: readFileSync(join(folder, name)) }))
  const sizes = files.map(({ name, bytes }) => [name, gzipSync(bytes, { level: 9 }).length] as const)
  const total = sizes.reduce((sum, [, size]) => sum + size, 0)
  assert.ok(total < 200_000, `${total} bytes: ${JSON.stringify(sizes)}`)
  const page = files.find(({ name }) => name === 'index.html')?.bytes.toString() ?? ''
  const loaded = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address)
  assert.deepEqual(
    loaded.toSorted(),
    sizes.map(([name]) => name).filter((name) => name !== 'index.html'),
  )
  assert.doesNotMatch(page, /<style|<script[^>]*>[^<]|\son\w+=|\sstyle=/)
})
