import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Model } from './model.ts'
import type { Problem } from './places.ts'
import { readShortForm } from './short-form.ts'

/** All that is wrong with an API file: one line each, in the form that editors and terminals make clickable. */
export class ApiFileError extends Error {
  readonly problems: readonly Problem[]

  constructor(path: string, problems: readonly Problem[]) {
    super(
      problems
        .map(({ line, column, message }) => `${path}:${line === 0 ? '' : `${line}:${column}:`} ${message}`)
        .join('\n'),
    )
    this.name = 'ApiFileError'
    this.problems = problems
  }
}

const SHORT_FORM = ['.yaml', '.yml', '.json']

/** The model of an API file (hypermedia.md, The API file); throws an ApiFileError that names every problem. */
export async function readApiFile(path: string): Promise<Model> {
  const ending = extname(path).toLowerCase()
  if (ending === '.jsonld')
    throw wholly(path, 'the long form (.jsonld) is not supported yet; use the short form (.yaml)')
  if (!SHORT_FORM.includes(ending)) {
    throw wholly(path, `an API file ends in ${SHORT_FORM.join(', ')}; "${ending}" is none of them`)
  }
  const result = readShortForm(await readText(path), path)
  if ('problems' in result) throw new ApiFileError(path, result.problems)
  return result.model
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw wholly(path, 'there is no such file')
    if (code === 'EISDIR') throw wholly(path, 'this is a folder; name the API file in it')
    throw wholly(path, `the file cannot be read: ${message}`)
  }
}

/** A problem of the file as a whole: it has no line, which is line 0. */
function wholly(path: string, message: string): ApiFileError {
  return new ApiFileError(path, [{ line: 0, column: 0, path: '', message }])
}
