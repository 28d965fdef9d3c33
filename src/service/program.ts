// The code of a program: loads it, and checks it against an API file.
import nodeModule from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { HOOK_NAMES, type Program } from '../api/index.ts'
import { suggestion } from '../text.ts'
import { type Model, storedClasses } from '../vocabulary/index.ts'

const PARTS = ['hooks', 'operations']
let isResolving = false

/** The default export of a module, TypeScript or JavaScript: `--with`. */
export async function importProgram(path: string): Promise<Program> {
  let module: { readonly default?: unknown }
  resolveHydrant()
  try {
    module = await import(pathToFileURL(resolve(path)).href)
  } catch (error) {
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
    const [line = ''] = /^:\d+/.exec(stack.split(resolve(path))[1] ?? '') ?? []
    throw new Error(`${path}${line} cannot be loaded: ${message}`, { cause: error })
  }
  const program = module.default
  if (typeof program !== 'object' || program === null)
    throw new Error(
      `${path} has no default export with hooks or operations; add: export default { hooks: { … } }`,
    )
  const unknown = Object.keys(program).find((name) => !PARTS.includes(name))
  if (unknown !== undefined)
    throw new Error(`${path}: "${unknown}" is not known; ${suggestion(unknown, PARTS)}`)
  return program
}

/**
 * In code of a program `hydrant` is this very package, whatever folder the code is in and whatever is installed there.
 * Registered once and for good: hooks may import more when they are called.
 */
function resolveHydrant(): void {
  if (isResolving) return
  isResolving = true
  // Not imported by its name, which Bun does not have: it must get as far as `requireRuntime`.
  nodeModule.registerHooks({
    resolve: (specifier, context, next) =>
      /^hydrant(?:\/|$)/.test(specifier)
        ? next(specifier, { ...context, parentURL: import.meta.url })
        : next(specifier, context),
  })
}

/** Throws all problems of the hooks under this API file, one line each. */
export function requireValidHooks({ hooks = {} }: Program, model: Model): void {
  const classes = storedClasses(model).map(({ name }) => name)
  const problems = Object.entries(hooks).flatMap(([className, own]) => {
    if (!classes.includes(className))
      return [`hooks: "${className}" is no class that has members; ${suggestion(className, classes)}`]
    return Object.entries(own).flatMap(([name, hook]) => {
      if (!HOOK_NAMES.includes(name))
        return [`hooks.${className}: "${name}" is no hook; ${suggestion(name, HOOK_NAMES)}`]
      return typeof hook === 'function' ? [] : [`hooks.${className}.${name} must be a function.`]
    })
  })
  if (problems.length > 0) throw new Error(problems.join('\n'))
}
