// Loads the modules of a program. Registered once and permanently, since hooks may import more modules when they are called.
import { realpathSync } from 'node:fs'
import nodeModule, { type ResolveHookSync } from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** A program that is watched, as it was loaded last. */
interface WatchedProgram {
  readonly version: string
  /** The file of the program and the files that it imports, except for those of packages. */
  readonly files: Set<string>
  readonly onFile: (path: string) => void
}

/** Node.js keeps each module under its URL: with another version in the query, a file is read anew. */
const VERSION = 'hydrant-version'
const require = nodeModule.createRequire(import.meta.url)
let isRegistered = false
let versions = 0
let latest: WatchedProgram | undefined

/**
 * With `onFile` the module and everything that it imports is loaded anew, except packages. `onFile` is called with the path
 * of each file before it is read, also with those that are missing.
 */
export async function importModule(path: string, onFile?: (path: string) => void): Promise<unknown> {
  if (!isRegistered) nodeModule.registerHooks({ resolve: resolveForProgram })
  isRegistered = true
  const url = pathToFileURL(realPathOf(resolve(path)))
  if (onFile !== undefined) {
    for (const file of latest?.files ?? []) delete require.cache[file]
    versions += 1
    latest = { version: String(versions), files: new Set(), onFile }
    addFile(latest, fileURLToPath(url))
    url.searchParams.set(VERSION, latest.version)
  }
  return import(url.href)
}

/** Node.js remembers where a symbolic link has led to, and the link may be changed. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // The import says why it cannot be read.
    return path
  }
}

function addFile({ files, onFile }: WatchedProgram, file: string): void {
  files.add(file)
  onFile(file)
}

let isResolvingOwn = false

/** Where this package has a module; asked of Node.js, which asks `resolveForProgram` in turn. */
function resolveOwn(specifier: string): string {
  isResolvingOwn = true
  try {
    return import.meta.resolve(specifier)
  } finally {
    isResolvingOwn = false
  }
}

const resolveForProgram: ResolveHookSync = (specifier, context, next) => {
  const { parentURL } = context
  if (/^hydrant(?:\/|$)/.test(specifier) && !isResolvingOwn)
    return { url: resolveOwn(specifier), format: undefined, shortCircuit: true }
  const version = versionOf(parentURL)
  if (version === undefined || parentURL === undefined) return next(specifier, context)
  const program = version === latest?.version ? latest : undefined
  // A missing file may be created later.
  if (program !== undefined && isPath(specifier))
    addFile(program, fileURLToPath(new URL(specifier, parentURL)))
  const found = next(specifier, context)
  const url = new URL(found.url)
  if (url.protocol !== 'file:' || (!isPath(specifier) && url.pathname.includes('/node_modules/')))
    return found
  if (program !== undefined) addFile(program, fileURLToPath(url))
  // CommonJS modules are kept under their paths.
  if (context.conditions.includes('require')) return found
  url.searchParams.set(VERSION, version)
  return { ...found, url: url.href }
}

/** The version of the program that a module belongs to; undefined for other modules. */
function versionOf(url: string | undefined): string | undefined {
  if (latest === undefined || url === undefined || !url.startsWith('file:')) return undefined
  const { searchParams } = new URL(url)
  return searchParams.get(VERSION) ?? (latest.files.has(fileURLToPath(url)) ? latest.version : undefined)
}

const isPath = (specifier: string): boolean => /^(?:\.{0,2}\/|file:)/.test(specifier)
