// Loads a program's code, and checks it against an API file.
import nodeModule from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { HOOK_NAMES, type Program } from '../api/index.ts'
import { type Model, storedClasses } from '../vocabulary/index.ts'
import { hookViolation, startProblem } from './problems/start.ts'

const EXTENSIONS = ['hooks', 'operations']
let isResolving = false

/** The default export of a module, TypeScript or JavaScript: `--with`. */
export async function importProgram(path: string): Promise<Program> {
  let module: { readonly default?: unknown }
  resolveHydrant()
  try {
    module = await import(pathToFileURL(resolve(path)).href)
  } catch (error) {
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
    const [, line] = /^:(\d+)/.exec(stack.split(resolve(path))[1] ?? '') ?? []
    const values = { path, line: line === undefined ? undefined : Number(line), reason: message }
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
 * In a program's code, `hydrant` is this very package, whatever folder the code is in and whatever is installed there.
 * Registered once, permanently: hooks may import more modules when they are called.
 */
function resolveHydrant(): void {
  if (isResolving) return
  isResolving = true
  // Not a named import, since Bun does not have this name, and must get as far as `requireRuntime`.
  nodeModule.registerHooks({
    resolve: (specifier, context, next) =>
      /^hydrant(?:\/|$)/.test(specifier)
        ? next(specifier, { ...context, parentURL: import.meta.url })
        : next(specifier, context),
  })
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
