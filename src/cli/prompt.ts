import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { readParaphrase, sayCredentialProblem } from '../auth/index.ts'
import { fileProblem, fileReason } from '../service/problems/files.ts'
import type { Invocation, Io } from './invocation.ts'
import { commandProblem } from './problems.ts'

/** Asks without echo on a terminal, twice for a new paraphrase; otherwise reads one line of standard input. */
export async function askForParaphrase(
  call: Invocation,
  user: number | string,
  kind: 'new' | 'known',
): Promise<string> {
  const { io, console } = call
  const paraphrase = await (io.stdin.isTTY ? askTerminal(io, user, kind) : readPiped(call))
  if (kind === 'new' && [...paraphrase].length < SHORT)
    console.error(`hydrant: warning: a passphrase of fewer than ${SHORT} characters is easy to guess.`)
  return paraphrase
}

/** A shorter paraphrase is accepted with a warning: it is fine for trying things out, and the throttle limits guesses. */
const SHORT = 8

/**
 * One reader for all answers: the terminal would echo what is typed between two readers. It edits lines but shows
 * nothing; the questions go to standard error, since standard output is for programs.
 */
async function askTerminal(
  { stdin, stderr }: Io,
  user: number | string,
  kind: 'new' | 'known',
): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: stdin, output: nowhere, terminal: true, historySize: 0 })
  const answers = reader[Symbol.asyncIterator]()

  async function ask(question: string): Promise<string> {
    stderr.write(question)
    const { value, done } = await answers.next()
    stderr.write('\n')
    // Ctrl-C and Ctrl-D close the reader.
    if (done) throw commandProblem('Cancelled')
    return value
  }

  try {
    const first = check(await ask(`Passphrase of user ${user} (not shown): `))
    if (kind === 'known') return first
    const second = readParaphrase(await ask('The same again: '))
    if ('paraphrase' in second && second.paraphrase === first) return first
    throw commandProblem('ParaphrasesDiffer')
  } finally {
    reader.close()
  }
}

/** The first line of a file, as it would be read from standard input. */
export async function readParaphraseFile(path: string): Promise<string> {
  try {
    const [bytes] = splitLine(await readFile(path))
    return check(decode(bytes))
  } catch (error) {
    const reason = fileReason(error)
    throw reason === undefined ? error : fileProblem('FileUnusable', { reason }, { at: { source: path } })
  }
}

const LONGEST_LINE = 64 * 1024
const LINE_FEED = 0x0a

/**
 * The bytes before the first line feed: not node:readline, which also ends a line at CR, U+2028 and U+2029 and
 * would silently cut a paraphrase short there.
 */
async function readPiped({ io, console }: Invocation): Promise<string> {
  let bytes = Buffer.alloc(0)
  // Leaving the loop destroys the stream: the program that writes into the pipe need not end it.
  for await (const chunk of io.stdin) {
    bytes = Buffer.concat([bytes, chunk as Buffer])
    if (bytes.includes(LINE_FEED) || bytes.length > LONGEST_LINE) break
  }
  const [line, rest] = splitLine(bytes)
  const paraphrase = check(decode(line))
  if (/\S/.test(rest.toString('latin1')))
    console.error('hydrant: note: standard input has more than one line; the first is the passphrase.')
  return paraphrase
}

function splitLine(bytes: Buffer): [line: Buffer, rest: Buffer] {
  const end = bytes.includes(LINE_FEED) ? bytes.indexOf(LINE_FEED) : bytes.length
  return [bytes.subarray(0, end), bytes.subarray(end)]
}

/** Drops the byte order mark that some editors and shells add: it is not part of the text. */
function decode(bytes: Buffer): string {
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes).replace(/\r$/, '')
  throw commandProblem('ParaphraseNotUtf8')
}

function check(text: string): string {
  const read = readParaphrase(text)
  if ('problem' in read)
    throw commandProblem('UnusableParaphrase', { reason: sayCredentialProblem(read.problem) })
  return read.paraphrase
}
