import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { ROOT } from '../support/markdown.ts'

const MOST_BYTES = 9_000

test('The client is less than 9 kB, minified and compressed, and needs nothing else', async () => {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, 'src/client/index.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
  })
  const text = outputFiles[0]?.text ?? ''
  const bytes = gzipSync(text, { level: 9 }).length
  assert.ok(bytes < MOST_BYTES, `${bytes} bytes`)
  assert.doesNotMatch(text, /\bimport\b|\brequire\b|node:/)
  assert.match(text, /export\{.*createClient/)
})
