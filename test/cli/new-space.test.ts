import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

/** Keeps many new objects alive, in turns of the event loop, as a server under load does. */
const PROGRAM = `
  const { getHeapSpaceStatistics } = await import('node:v8')
  const { limitNewSpace } = await import(process.argv[1])
  if (process.argv[2] === 'limited') limitNewSpace()
  let kept = []
  for (let turn = 0; turn < 60; turn += 1) {
    for (let index = 0; index < 60_000; index += 1) kept.push({ index, list: [index] })
    if (turn % 3 === 0) kept = []
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  console.log(getHeapSpaceStatistics().find((one) => one.space_name === 'new_space').space_size)
`

test('the space for new objects stays small', async () => {
  const sizeOf = async (mode: string) => {
    const module = new URL('../../src/cli/new-space.ts', import.meta.url).href
    const args = ['--input-type=module', '--eval', PROGRAM, module, mode]
    return Number((await promisify(execFile)(process.execPath, args)).stdout) / 2 ** 20
  }
  const [limited, usual] = [await sizeOf('limited'), await sizeOf('usual')]
  assert.ok(limited <= 64 && usual > limited, `${limited} MB, ${usual} MB without a limit`)
})
