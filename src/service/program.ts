// Loads a program's code, and checks it against an API file.
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FOLLOWER_KEYS, HOOK_NAMES, type Program, type ProgramFollower } from '../api/index.ts'
import { limitTime } from '../deadline.ts'
import { Problem, type ProblemData } from '../problem.ts'
import { type Model, storedClasses } from '../vocabulary/index.ts'
import type { Log } from './log.ts'
import { followerViolation, hookViolation, startProblem } from './problems/start.ts'
import { importModule, realPathOf } from './program-modules.ts'

const EXTENSIONS = ['hooks', 'operations', 'followers']
const PLACE = /^(\/[^:?]+)(?:\?[^:]+)?:(\d+)/
const OWN_FOLDER = fileURLToPath(new URL('..', import.meta.url))

/** How to load a program that is watched. */
interface WatchedImport {
  /** See `importModule`. */
  readonly onFile: (file: string) => void
  /** A module that waits forever must not keep later changes from being applied. */
  readonly longestMs: number
}

/** The default export of a module, TypeScript or JavaScript: `--with`. */
export async function importProgram(path: string, watched?: WatchedImport): Promise<Program> {
  let module: { readonly default?: unknown }
  try {
    const loading = importModule(path, watched?.onFile)
    const late = (seconds: number) => startProblem('ModuleTimeout', { path, seconds })
    module = (await (watched === undefined
      ? loading
      : limitTime(loading, watched.longestMs, () => late(watched.longestMs / 1_000)))) as typeof module
  } catch (error) {
    if (error instanceof Problem) throw error
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
    const values = { path, line: undefined, reason: message, ...placeIn(stack, path) }
    throw startProblem('ModuleNotLoaded', values, { cause: error })
  }
  const program = module.default
  if (typeof program !== 'object' || program === null) throw startProblem('NoDefaultExport', { path })
  const unknown = Object.keys(program).find((name) => !EXTENSIONS.includes(name))
  if (unknown !== undefined)
    throw startProblem('UnknownExtension', { path, name: unknown, known: EXTENSIONS })
  return program
}

/**
 * In Node.js, a rejected promise that nothing awaits ends the process, with all requests of all clients: too much for one
 * forgotten `await`, in a program or in our own code.
 */
export function surviveRejections(log: Log): void {
  process.on('unhandledRejection', (err) =>
    log.error({ err }, 'a promise was rejected that nothing awaits; the code of --with may lack an await'),
  )
}

/** The file of the program, and the line in it, where an error comes from. */
function placeIn(stack: string, path: string): { path: string; line: number } | undefined {
  for (const line of stack.split('\n')) {
    // "/a/b.ts:2", "file:///a/b.ts:2" and "at f (file:///a/b.ts:2:7)"; with --watch the address has a query.
    const [, found = '', number] = PLACE.exec(line.split(/file:\/\/|\(/).at(-1) ?? '') ?? []
    const file = line.includes('file://') ? fileURLToPath(`file://${found}`) : found
    if (found === '' || file.includes('/node_modules/') || file.startsWith(OWN_FOLDER)) continue
    const shown = relative(process.cwd(), file)
    const other = shown.startsWith('..') ? file : shown
    return { path: file === realPathOf(resolve(path)) ? path : other, line: Number(number) }
  }
  return undefined
}

/** Throws all problems of the hooks, or of the followers, under this API file. */
export function requireValidProgram(program: Program, model: Model): void {
  requireValidHooks(program, model)
  requireValidFollowers(program, model)
}

/** Throws all problems of the hooks under this API file. */
export function requireValidHooks({ hooks = {} }: Program, model: Model): void {
  const classes = storedClasses(model).map(({ name }) => name)
  const violations = Object.entries(hooks).flatMap(([className, own]) => {
    if (!classes.includes(className))
      return [hookViolation('UnknownHookClass', 'hooks', { name: className, known: classes })]
    const path = `hooks.${className}`
    return Object.entries(own).flatMap(([name, hook]) => {
      if (!HOOK_NAMES.includes(name)) return [hookViolation('UnknownHook', path, { name, known: HOOK_NAMES })]
      return typeof hook === 'function' ? [] : [hookViolation('HookNotFunction', `${path}.${name}`)]
    })
  })
  if (violations.length > 0) throw startProblem('InvalidHooks', {}, { violations })
}

function requireValidFollowers({ followers = {} }: Program, model: Model): void {
  const classes = storedClasses(model).map(({ name }) => name)
  const violations = Object.entries(followers).flatMap(([name, one]) =>
    findFollowerProblems(name, one, classes),
  )
  if (violations.length > 0) throw startProblem('InvalidFollowers', {}, { violations })
}

/** A module may export anything. */
type Unchecked<T> = Readonly<Partial<Record<keyof T, unknown>>> | null

function findFollowerProblems(
  name: string,
  follower: Unchecked<ProgramFollower>,
  classes: readonly string[],
): readonly ProblemData[] {
  const path = `followers.${name}`
  if (!/^[a-z][a-z0-9-]{0,63}$/.test(name)) return [followerViolation('FollowerName', path)]
  if (typeof follower !== 'object' || follower === null) return [followerViolation('NotFollower', path)]
  const named: readonly unknown[] = Array.isArray(follower.classes) ? follower.classes : []
  const unknownKeys = Object.keys(follower).filter((key) => !FOLLOWER_KEYS.includes(key))
  const unknownClasses = named.filter((given) => !classes.some((known) => known === given))
  return [
    ...unknownKeys.map((key) => followerViolation('UnknownKey', path, { name: key, known: FOLLOWER_KEYS })),
    ...(named.length === 0 ? [followerViolation('NoClasses', `${path}.classes`)] : []),
    ...unknownClasses.map((given) =>
      followerViolation('UnknownClass', `${path}.classes`, { name: String(given), known: classes }),
    ),
    ...(typeof follower.handle === 'function' ? [] : [followerViolation('NotFunction', `${path}.handle`)]),
  ]
}
