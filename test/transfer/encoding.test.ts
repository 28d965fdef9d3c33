import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guessEncoding, toUtf8 } from '../../src/transfer/encoding.ts'

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function bytesOf(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}

const textOf = async (chunks: AsyncIterable<Buffer>): Promise<string> =>
  (await bytesOf(chunks)).toString('utf8')

test('texts in other encodings are read as UTF-8, wherever their chunks end', async () => {
  for (const size of [1, 2, 3, 100]) {
    // Of Windows-1252: the euro sign and a quotation mark, which ISO 8859-1 does not have.
    const latin1 = Buffer.from([0x80, 0x20, 0xe9, 0x92])
    assert.equal(await textOf(toUtf8(inChunks(latin1, size), 'latin1')), '€ é’')
    const utf16 = Buffer.from('aé€😀', 'utf16le')
    assert.equal(await textOf(toUtf8(inChunks(utf16, size), 'utf-16')), 'aé€😀')
    const bigEndian = Buffer.from('\ufeffaé€😀', 'utf16le').swap16()
    assert.equal(await textOf(toUtf8(inChunks(bigEndian, size), 'utf-16')), '\ufeffaé€😀')
    assert.equal(await textOf(toUtf8(inChunks(Buffer.from('é€'), size))), 'é€')
  }
})

test('half of a surrogate pair, or of a unit, is a byte that UTF-8 does not have', async () => {
  for (const size of [1, 2, 3, 100])
    for (const [sent, expected] of [
      [Buffer.from('a\ud83db\ude00', 'utf16le'), [0x61, 0xff, 0x62, 0xff]],
      [Buffer.from('\ud83d\ud83d\ude00', 'utf16le'), [0xff, 0xf0, 0x9f, 0x98, 0x80]],
      [Buffer.from('a\ud83d', 'utf16le'), [0x61, 0xff]],
      [Buffer.from([0x61, 0, 0x62]), [0x61, 0xff]],
    ] as const) {
      assert.deepEqual(await bytesOf(toUtf8(inChunks(sent, size), 'utf-16')), Buffer.from(expected))
    }
})

test('an encoding is found out by the beginning of the data, all of which is still there', async () => {
  const rows = [
    [Buffer.from('größe'), 'utf-8'],
    [Buffer.from('größe', 'latin1'), 'latin1'],
    [Buffer.from('\ufeffa', 'utf16le'), 'utf-16'],
    [Buffer.from('\ufeffa', 'utf16le').swap16(), 'utf-16'],
    [Buffer.alloc(0), 'utf-8'],
    // What is looked at ends within a character.
    [Buffer.from(`${'a'.repeat(4 * 1024 * 1024 - 1)}é`), 'utf-8'],
  ] as const
  for (const [bytes, expected] of rows) {
    const { encoding, chunks } = await guessEncoding(inChunks(bytes, bytes.length > 100 ? 64 * 1024 : 2))
    assert.equal(encoding, expected)
    assert.equal(await textOf(chunks), bytes.toString('utf8'))
  }
})
