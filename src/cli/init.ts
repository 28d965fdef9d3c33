import { statSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { COMMAND_SETTINGS } from '../config/index.ts'
import { isPostgres, shownDatabase, sqlitePath } from '../database/index.ts'
import { Problem } from '../problem.ts'
import { fileProblem, fileReason } from '../service/problems/files.ts'
import { quoted } from '../text.ts'
import type { ProposedFile } from '../transfer/index.ts'
import { API_FILE_SCHEMA } from '../vocabulary/api-file.ts'
import { programName } from './database.ts'
import { databaseTitle, isDatabaseAddress, readAddress } from './database-address.ts'
import type { Invocation } from './invocation.ts'
import { openSource, requireNoSpreadsheet } from './output.ts'
import { commandProblem } from './problems.ts'

/** A file that can be served as it is, with comments on all other keys. */
const FIRST_API_FILE = new URL('../../examples/first.yaml', import.meta.url)

/** `hydrant init [folder]`: an API file to start from, or one for the data or the document that `--from` names. */
export async function writeFirstApiFile(call: Invocation, folder = '.'): Promise<void> {
  const path = join(folder, 'api.yaml')
  const data = call.setting(COMMAND_SETTINGS.data)
  const { text, importFlags } = await (data === undefined ? readFirst() : propose(data, call))
  await write(folder, path, text)
  const load =
    data === undefined || importFlags === undefined
      ? []
      : ['import api.yaml', importedFrom(data, folder), ...importFlags]
  call.console.log(nextSteps(folder, path, load))
}

const readFirst = async (): Promise<ProposedFile> => ({
  text: await readFile(FIRST_API_FILE, 'utf8'),
  importFlags: undefined,
})

async function propose(data: string, { io }: Invocation): Promise<ProposedFile> {
  const { proposeApiFile } = await import('../transfer/index.ts')
  if (isDatabaseAddress(data)) return proposeForTables(readAddress(data, '--from'))
  requireNoSpreadsheet(data, '--from')
  if (!/\.(?:csv|json|ya?ml)$/i.test(data))
    throw commandProblem('NothingToProposeFrom', { data }, { at: { source: '--from' } })
  const { chunks, name } = await openSource(data, io)
  return explained(data, () => proposeApiFile(name, chunks))
}

async function proposeForTables(url: string): Promise<ProposedFile> {
  const { proposeForDatabase, withTables, writeProposal } = await import('../transfer/index.ts')
  const shown = shownDatabase(url)
  const proposal = await withTables(url, '--from', (tables) =>
    proposeForDatabase(tables, shown, databaseTitle(url)),
  )
  return explained(shown, async () => ({ text: writeProposal(proposal), importFlags: [] }))
}

/** Runs `work` on data, and names the data in its problems. */
async function explained<T>(source: string, work: () => Promise<T>): Promise<T> {
  const { DataError, importSentence } = await import('../transfer/index.ts')
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const line = error instanceof DataError ? { line: error.line } : {}
    throw commandProblem('InvalidData', { reason: importSentence(error) }, { at: { source, ...line } })
  }
}

async function write(folder: string, path: string, text: string): Promise<void> {
  try {
    await makeFolder(folder)
    // Fails if the file exists: a file is never overwritten.
    await writeFile(path, `# yaml-language-server: $schema=api.schema.json\n${text}`, { flag: 'wx' })
    await writeSchema(join(folder, 'api.schema.json'))
  } catch (error) {
    const reason = fileReason(error) ?? { system: (error as Error).message }
    throw fileProblem('FileNotWritten', { path, reason, other: 'folder' })
  }
}

/**
 * Creates folders one by one: with `recursive`, Node.js never returns where no folder can be created, such as in /proc.
 */
async function makeFolder(path: string): Promise<void> {
  const found = (folder: string) => statSync(folder, { throwIfNoEntry: false })
  const parent = dirname(path)
  // If the parent cannot be looked up, for example because its path is too long, nothing is created.
  if (parent !== path && found(parent) === undefined) await makeFolder(parent)
  if (!found(path)?.isDirectory()) await mkdir(path)
}

/** Writes the JSON Schema for editors. */
async function writeSchema(path: string): Promise<void> {
  const text = `${JSON.stringify(API_FILE_SCHEMA, undefined, 2)}\n`
  await writeFile(path, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}

/** `load`: the command that loads the data, in words; empty for none. */
function nextSteps(folder: string, path: string, load: readonly string[]): string {
  const command = programName(folder)
  const steps = [
    ...(resolve(folder) === resolve() ? [] : [`cd ${quoted(folder)}`]),
    ...['check api.yaml', load.join(' '), 'user add 1', 'serve api.yaml']
      .filter(Boolean)
      .map((step) => `${command} ${step}`),
  ]
  return [
    `Wrote ${path}, and api.schema.json for editors. Change it as you like, then:`,
    '',
    ...steps.map((step) => `  ${step}`),
  ].join('\n')
}

/** The data as it is called from the new folder; an address with a password is left out. */
function importedFrom(data: string, folder: string): string {
  if (isPostgres(data)) return 'postgres://…'
  if (!isDatabaseAddress(data)) return quoted(relative(folder, data))
  return quoted(`sqlite:${relative(folder, sqlitePath(data))}`)
}
