import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

/**
 * Keeps many new objects alive, in turns of the event loop, as a server under load does. Prints the largest size of their
 * space; ends when that has passed the bound, or after many turns.
 */
const PROGRAM = `
  const { getHeapSpaceStatistics } = await import('node:v8')
  const { limitNewSpace } = await import(process.argv[1])
  const bound = Number(process.argv[2])
  if (process.argv[3] === 'limited') limitNewSpace()
  let kept = []
  let largest = 0
  for (let turn = 0; turn < 100 && largest <= bound; turn += 1) {
    for (let index = 0; index < 60_000; index += 1) kept.push({ index, list: [index] })
    if (turn % 20 === 0) kept = []
    await new Promise((resolve) => setTimeout(resolve, 5))
    const space = getHeapSpaceStatistics().find((one) => one.space_name === 'new_space')
    largest = Math.max(largest, space.space_size)
  }
  console.log(largest)
`
/** Between two checks the space may double once more. */
const BOUND = 64 * 2 ** 20

test('the space for new objects stays small', async () => {
  const largest = async (mode: string) => {
    const module = new URL('../../src/cli/new-space.ts', import.meta.url).href
    const args = ['--input-type=module', '--eval', PROGRAM, module, String(BOUND), mode]
    return Number((await promisify(execFile)(process.execPath, args)).stdout)
  }
  const [limited, usual] = [await largest('limited'), await largest('usual')]
  assert.ok(limited <= BOUND && usual > BOUND, `${limited} bytes, ${usual} without a limit`)
})
