import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { ROOT } from '../support/markdown.ts'

const MOST_BYTES = 10_000
/** Together with the parts that are loaded later. */
const MOST_BYTES_OF_ALL = 11_500

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

const sizeOf = (text: string): number => gzipSync(text, { level: 9 }).length

/** A word of each part that is loaded when it is first used. */
const LATER = ['text/event-stream', 'handling=lenient', '/paraphrase', 'if-none-match']

test('The client is less than 10 kB, minified and compressed, and needs nothing else', async () => {
  const [whole] = await bundle(false)
  const text = whole?.text ?? ''
  assert.doesNotMatch(text, /\bimport\b|\brequire\b|node:/)
  assert.match(text, /export\{.*createClient/)
  const first = (await bundle(true)).filter((chunk) => !LATER.some((word) => chunk.text.includes(word)))
  const bytes = sizeOf(first.map((chunk) => chunk.text).join('\n'))
  assert.ok(bytes < MOST_BYTES, `${bytes} bytes`)
  assert.ok(sizeOf(text) < MOST_BYTES_OF_ALL, `${sizeOf(text)} bytes with everything`)
})

test('A program that uses neither batches, changes, accounts nor histories does not load them', async () => {
  const chunks = await bundle(true)
  for (const word of LATER) {
    const [chunk, ...others] = chunks.filter(({ text }) => text.includes(word))
    assert.deepEqual(others, [], word)
    assert.doesNotMatch(chunk?.path ?? 'index.js', /index\.js$/, word)
  }
})
