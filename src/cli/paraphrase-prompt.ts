import { createInterface } from 'node:readline'
import password from '@inquirer/password'
import { readParaphrase } from '../auth/paraphrase.ts'
import { UsageError } from '../config.ts'

/** Asks without echo on a terminal, and twice; otherwise one line of standard input. Never an argument. */
export async function askForParaphrase(userId: number): Promise<string> {
  return process.stdin.isTTY ? askTwice(userId) : check(await readLine())
}

async function askTwice(userId: number): Promise<string> {
  // The questions go to standard error: what a command prints is for programs.
  const context = { output: process.stderr }
  try {
    const first = check(await password({ message: `Paraphrase of user ${userId}:` }, context))
    const second = await password({ message: 'The same again:' }, context)
    if (second.normalize('NFC') !== first) throw new UsageError('The two differ; nothing was changed.')
    return first
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError')
      throw new Error('Cancelled; nothing was changed.')
    throw error
  }
}

async function readLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })
  for await (const line of lines) return line
  return ''
}

function check(text: string): string {
  const read = readParaphrase(text)
  if ('problem' in read) throw new UsageError(`${read.problem} Nothing was changed.`)
  return read.paraphrase
}
