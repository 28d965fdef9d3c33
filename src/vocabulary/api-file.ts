import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, extname, parse } from 'node:path'
import { Problem, type ProblemData } from '../problem.ts'
import { nearest } from '../text.ts'
import { type ApiFile, type ApiFileResult, Findings } from './findings.ts'
import type { Model } from './model.ts'
import { classesOf, type DeclaredOperations, withOwnOperations } from './operations.ts'
import { readYaml } from './short-form/read-yaml.ts'
import { readAccessFile, readShortForm } from './short-form/short-form.ts'
import type { FileValue } from './short-form/yaml.ts'

export { API_FILE_SCHEMA } from './short-form/keys.ts'
export { type FileEntries, type FileValue, readEntries } from './short-form/yaml.ts'

/** All problems of an API file, of an access file, of custom operations, or of a list of webhooks. */
export class ApiFileError extends Problem {
  /** The file that has the problems: the API file, or another one beside it. */
  readonly path: string

  constructor(path: string, problems: readonly ProblemData[]) {
    super('InvalidApiFile', {}, { at: { source: path }, violations: problems })
    this.path = path
  }
}

const SHORT_FORM = ['.yaml', '.yml', '.json']
const LONG_FORM = '.jsonld'
const ENDINGS = [...SHORT_FORM, LONG_FORM]

/**
 * The model of an API file (hypermedia.md, The API file); throws an ApiFileError that names every problem. `accessPath`: a
 * file with roles and access beside it (access.md). `operations`: the custom operations of a program (library.md).
 */
export async function readApiFile(
  path: string,
  accessPath?: string,
  operations: DeclaredOperations = {},
): Promise<ApiFile> {
  const ending = endingOf(path)
  const isLong = ending === LONG_FORM
  if (!isLong && !SHORT_FORM.includes(ending)) {
    const isFolder = (await stat(path).catch(() => undefined))?.isDirectory()
    throw fileError(path, (whole) =>
      isFolder
        ? whole.problem('ApiFileIsFolder')
        : whole.problem('UnknownFileEnding', { ending, known: ENDINGS }),
    )
  }
  const text = await readText(path, 'NoSuchApiFile')
  if (ending === '.json' && isLinkedData(text))
    throw fileError(path, (whole) => whole.problem('LongFormAsJson'))
  const file = requireRead(path, await readForm(text, path, isLong, operations))
  const notes = accessPath === undefined && isLong ? [...file.notes, NO_ACCESS] : file.notes
  return addAccessAndOperations({ ...file, notes }, accessPath, operations)
}

/** The same for an object in a program, which is the long form if it has `@context`. */
export async function readApiObject(
  api: object,
  accessPath?: string,
  operations: DeclaredOperations = {},
): Promise<Model> {
  const text = JSON.stringify(api)
  const result = await readForm(text, 'api', isLinkedData(text), operations)
  const withoutLines = 'problems' in result ? { problems: result.problems.map(withoutLine) } : result
  return (await addAccessAndOperations(requireRead('api', withoutLines), accessPath, operations)).model
}

/** Line numbers mean nothing for an object. */
const withoutLine = ({ at, ...one }: ProblemData): ProblemData => ({ ...one, at: { path: at.path ?? '' } })

/** Reads the list of webhooks of a program, or of the file with this path (library.md, Webhooks). */
export async function readWebhookList<T>(
  list: string | readonly object[],
  read: (root: FileValue) => T,
): Promise<T> {
  const isFile = typeof list === 'string'
  const text = isFile ? await readText(list, 'NoSuchFile') : JSON.stringify(list)
  const { findings, value } = readYaml(text, 'EmptyWebhooksFile', read)
  if (value !== undefined && !findings.hasProblems) return value
  const { problems } = findings
  throw new ApiFileError(isFile ? list : 'webhooks', isFile ? problems : problems.map(withoutLine))
}

/** Loaded when it is needed: a server with the short form starts without it. */
const loadLongForm = () => import('./long-form/long-form.ts')

/** The API that an ApiDocumentation describes, whether or not it can be served here; undefined for other documents. */
export const readApiDocumentation = async (text: string, fallbackTitle: string) =>
  (await loadLongForm()).readApiDocumentation(text, fallbackTitle)

async function readForm(text: string, name: string, isLong: boolean, operations: DeclaredOperations) {
  const used = classesOf(operations)
  return isLong ? (await loadLongForm()).readLongForm(text, name, used) : readShortForm(text, name, used)
}

/** Adds the declarations outside of the API file: an access file, and custom operations. */
async function addAccessAndOperations(
  file: ApiFile,
  accessPath: string | undefined,
  operations: DeclaredOperations,
): Promise<ApiFile> {
  const ruled =
    accessPath === undefined
      ? file
      : requireRead(accessPath, readAccessFile(await readText(accessPath, 'NoSuchFile'), file))
  const { model } = requireRead('operations', withOwnOperations(ruled.model, operations))
  return { ...ruled, model }
}

function requireRead(path: string, result: ApiFileResult): ApiFile {
  if ('problems' in result) throw new ApiFileError(path, result.problems)
  return result
}

/** Whether the text has keys that only the long form has. */
function isLinkedData(text: string): boolean {
  try {
    const json: object = Object(JSON.parse(text))
    return ['@context', '@graph'].some((key) => Object.hasOwn(json, key))
  } catch {
    return false
  }
}

const NO_ACCESS = { code: 'NoAccessInDocument', at: {}, values: {}, kind: 'completed' } as const

const endingOf = (path: string): string => extname(path).toLowerCase()

async function readText(path: string, missing: 'NoSuchApiFile' | 'NoSuchFile'): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const meant = code === 'ENOENT' ? await fileMeant(path) : undefined
    throw fileError(path, (whole) => {
      if (code === 'ENOENT') whole.problem(missing, meant === undefined ? {} : { meant })
      else if (code === 'EISDIR') whole.problem('ApiFileIsFolder')
      else whole.problem('UnreadableApiFile', { systemCode: code, reason: message })
    })
  }
}

/** The file beside it that was probably meant: names are compared without their endings, which make all of them alike. */
async function fileMeant(path: string): Promise<string | undefined> {
  const names = await readdir(dirname(path)).catch(() => [])
  const files = names.filter((name) => ENDINGS.includes(endingOf(name))).map((name) => parse(name))
  const meant = nearest(
    parse(path).name,
    files.map(({ name }) => name),
  )
  return files.find(({ name }) => name === meant)?.base
}

/** A problem of the file as a whole, which has no line. */
function fileError(path: string, report: (whole: Findings) => void): ApiFileError {
  const findings = new Findings()
  report(findings)
  return new ApiFileError(path, findings.problems)
}
