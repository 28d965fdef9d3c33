import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { ROOT } from '../support/markdown.ts'

const MOST_BYTES = 10_000

/** One file or, with `splitting`, one for each part that is loaded by itself. */
async function bundle(splitting: boolean) {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, 'packages/client/src/index.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    splitting,
    outdir: 'out',
    write: false,
    logLevel: 'silent',
  })
  return outputFiles
}

test('The client is less than 10 kB, minified and compressed, and needs nothing else', async () => {
  const text = (await bundle(false))[0]?.text ?? ''
  const bytes = gzipSync(text, { level: 9 }).length
  assert.ok(bytes < MOST_BYTES, `${bytes} bytes`)
  assert.doesNotMatch(text, /\bimport\b|\brequire\b|node:/)
  assert.match(text, /export\{.*createClient/)
})

test('A program that uses neither batches nor changes does not load them', async () => {
  const chunks = await bundle(true)
  for (const word of ['text/event-stream', 'handling=lenient']) {
    const [chunk, ...others] = chunks.filter(({ text }) => text.includes(word))
    assert.deepEqual(others, [], word)
    assert.doesNotMatch(chunk?.path ?? '', /index\.js$/, word)
  }
})
