import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { COMMAND_SETTINGS, UsageError } from '../config/index.ts'
import { API_FILE_SCHEMA } from '../vocabulary/index.ts'
import { programName } from './database.ts'
import type { Invocation } from './invocation.ts'
import { fileReason, openSource, quoted } from './output.ts'

/** `hydrant init [folder]`: an API file to start from, or one for the data that `--from` names. */
export async function writeFirstApiFile(call: Invocation, folder?: string): Promise<void> {
  const path = join(folder ?? '.', 'api.yaml')
  const data = call.setting(COMMAND_SETTINGS.data)
  await write(folder, path, data === undefined ? FIRST_API_FILE : await propose(data, call))
  call.console.log(nextSteps(folder, path, data))
}

async function propose(data: string, { io }: Invocation): Promise<string> {
  const { proposeApiFile } = await import('../transfer/index.ts')
  if (!/\.(?:csv|json)$/i.test(data))
    throw new UsageError(`--from: "${data}" must end in .csv, or in .json for the db.json of json-server.`)
  const { chunks, name } = await openSource(data, io)
  try {
    return await proposeApiFile(name, chunks)
  } catch (error) {
    const { message } = error as Error
    throw new Error(message.startsWith(data) ? message : `${data}: ${message}`)
  }
}

async function write(folder: string | undefined, path: string, text: string): Promise<void> {
  try {
    if (folder !== undefined) await mkdir(folder, { recursive: true })
    // Fails where there is a file already: a file is never overwritten.
    await writeFile(path, `# yaml-language-server: $schema=api.schema.json\n${text}`, { flag: 'wx' })
    await writeSchema(join(folder ?? '.', 'api.schema.json'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'EEXIST' ? 'something of this name is there already' : fileReason(error)
    throw new Error(`${path} cannot be written: ${reason ?? message}; name another folder.`)
  }
}

/** For editors. */
async function writeSchema(path: string): Promise<void> {
  const text = `${JSON.stringify(API_FILE_SCHEMA, undefined, 2)}\n`
  await writeFile(path, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}

function nextSteps(folder: string | undefined, path: string, data: string | undefined): string {
  const command = commandIn(folder ?? '.')
  const load =
    data === undefined ? [] : [`import api.yaml ${quoted(relative(resolve(folder ?? '.'), resolve(data)))}`]
  const steps = [
    ...(folder === undefined || resolve(folder) === resolve() ? [] : [`cd ${quoted(folder)}`]),
    ...['check api.yaml', ...load, 'user add 1', 'serve api.yaml'].map((step) => `${command} ${step}`),
  ]
  return [
    `Wrote ${path}, and api.schema.json for editors. Change it as you like, then:`,
    '',
    ...steps.map((step) => `  ${step}`),
  ].join('\n')
}

/** The command as it is typed in that folder, where it is typed by its path. */
function commandIn(folder: string): string {
  const name = programName()
  return name.includes(sep) ? relative(resolve(folder), resolve(name)) : name
}

/** A file that can be served as it is, and shows what else there is. */
const FIRST_API_FILE = `# An API file: what is in it is served. See what is wrong with it:  hydrant check api.yaml
#
# Each class becomes a collection (/authors, /books) with members (/authors/{id}, /books/{id}); each property becomes a
# key of those members, checked when it is written and documented at /vocab.

title: My library
description: Books and the people who write them

classes:
  Author:
    # collection: authors       the path; without it the plural of the class in lower case
    properties:
      # A property is a type, or a map with a type:
      # string, boolean, integer, nonNegativeInteger, positiveInteger, decimal, double, float, date, dateTime, time,
      # duration, anyURI, langString (texts by language), or the name of a class.
      name: { type: string, required: true, maxLength: 200 }
      born: date
      address: Address # Address has no collection: it is a value within the author

  Book:
    # iri: http://schema.org/Book   a term of a public vocabulary instead of one of our own
    properties:
      title: { type: string, required: true }
      isbn: { type: string, pattern: "^[0-9X-]+$", unique: true } # no two books have the same one
      format: { type: string, enum: [hardback, paperback, audio], default: paperback }
      pages: { type: integer, minimum: 1 }
      price: decimal # exact: what is sent as 12.50 is returned as "12.50"
      genres: { type: string, many: true } # a list
      author: { type: Author, required: true } # a link: the address of an author
      createdAt: { type: dateTime, writable: false, default: now } # set by the server
      notes: { type: string, filterable: false } # no index and no filter
    # operations: [list, read]      without it all: list, create, read, update, replace, delete

  Address:
    collection: false
    properties:
      street: string
      town: { type: string, required: true }

  # A class without a collection that has operations is one resource, here at /Settings:
  # Settings:
  #   collection: false
  #   operations: [read, create, replace, update]
  #   properties:
  #     openingHours: langString

# Every user may do everything, unless roles and access say otherwise; a class may have an access of its own:
# roles: [editor]
# access: { view: everyone, write: editor }

# When you rename a class or a property later, say what it was: { type: string, was: oldName }.
`
