import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

/** What a program prints with our flags, and with V8's own: each is a process of its own. */
async function compare(program: string, tune: string) {
  const module = new URL('../../src/cli/v8.ts', import.meta.url).href
  const text = `if (process.argv[2] === 'tuned') {
      const { setFlagsFromString } = await import('node:v8')
      const { COMPILE_EARLY, limitNewSpace } = await import(process.argv[1])
      ${tune}
    }
    ${program}`
  const run = async (mode: string) => {
    const args = ['--allow-natives-syntax', '--input-type=module', '--eval', text, module, mode]
    return Number((await promisify(execFile)(process.execPath, args)).stdout)
  }
  return { tuned: await run('tuned'), usual: await run('usual') }
}

/** Between two checks the space may double once more. */
const BOUND = 64 * 2 ** 20

/**
 * Keeps many new objects alive, in turns of the event loop, as a server under load does. Prints the largest size of their
 * space; ends when that has passed the bound, or after many turns.
 */
const KEEP_OBJECTS = `
  const { getHeapSpaceStatistics } = await import('node:v8')
  let kept = []
  let largest = 0
  for (let turn = 0; turn < 100 && largest <= ${BOUND}; turn += 1) {
    for (let index = 0; index < 60_000; index += 1) kept.push({ index, list: [index] })
    if (turn % 20 === 0) kept = []
    await new Promise((resolve) => setTimeout(resolve, 5))
    const space = getHeapSpaceStatistics().find((one) => one.space_name === 'new_space')
    largest = Math.max(largest, space.space_size)
  }
  console.log(largest)
`

test('the space for new objects stays small', async () => {
  const { tuned, usual } = await compare(KEEP_OBJECTS, 'limitNewSpace()')
  assert.ok(tuned <= BOUND && usual > BOUND, `${tuned} bytes, ${usual} without a limit`)
})

/** Prints how many calls a function of some length had before an optimizing compiler had compiled it. */
const CALL = `
  const lines = Array.from({ length: 200 }, (_, index) => 'sum += one.a' + (index % 7) + ' * ' + index)
  const work = new Function('one', 'let sum = 0\\n' + lines.join('\\n') + '\\nreturn sum')
  const statusOf = new Function('work', 'return %GetOptimizationStatus(work)')
  const isOptimized = () => (statusOf(work) & (1 << 4)) !== 0
  let calls = 0
  for (; calls < 20_000 && !isOptimized(); calls += 1) {
    work({ a0: 1, a1: 2, a2: 3, a3: 4, a4: 5, a5: 6, a6: 7 })
    // Compiled by another thread.
    if (calls % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  }
  console.log(calls)
`

test('functions are compiled early', async () => {
  const { tuned, usual } = await compare(CALL, 'COMPILE_EARLY.forEach((flag) => setFlagsFromString(flag))')
  assert.ok(tuned < usual / 2, `after ${tuned} calls, ${usual} without our flags`)
})
