// `serve --watch`: applies a changed API or access file, or logs why it cannot.
import { type FSWatcher, realpathSync, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import { linesOf } from '../../service/problems/index.ts'
import { ACCOUNT, type Model } from '../../vocabulary/index.ts'

/** Editors write twice, empty a file before they fill it, or replace it by another one. */
const SETTLED_MS = 100

/** Calls `takeOver` after each change, one call at a time, and logs its result or error. */
export function watchFiles(
  files: readonly string[],
  log: Logger,
  takeOver: () => Promise<string | undefined>,
) {
  const paths = files.flatMap((file) => [file, realpathSync(file)])
  const names = new Set(paths.map((path) => basename(path)))
  // Watches folders, since an editor may replace the file. For a symbolic link there are two.
  const folders = new Set(paths.map((path) => dirname(path)))
  let isChanged = false
  let isClosed = false
  let isRefused = false
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    while (isChanged && !isClosed) {
      await wait(SETTLED_MS)
      isChanged = false
      try {
        const changes = await takeOver()
        if (changes !== undefined) log.info(`${files.join(' and ')} applied: ${changes}`)
        else if (isRefused) log.info(`nothing to apply: ${files.join(' and ')} says what is already served`)
        isRefused = false
      } catch (error) {
        for (const line of linesOf(error)) log.error(line)
        log.error('the changed file is not applied; the former one stays in force')
        isRefused = true
      }
    }
    running = undefined
  }

  const watchers = [...folders].map((folder): FSWatcher => {
    const watcher = watch(folder, (_, name) => {
      // Some systems do not report which file has changed.
      if (name !== null && !names.has(name)) return
      isChanged = true
      running ??= run()
    })
    return watcher.on('error', (err) => log.warn({ err }, `changes in ${folder} are not seen any more`))
  })
  return {
    async close(): Promise<void> {
      isClosed = true
      for (const watcher of watchers) watcher.close()
      await running
    },
  }
}

const MAX_NAMED = 10

/** The differences between two API files; undefined if there are none. */
export function describeModelChange(former: Model, model: Model): string | undefined {
  if (isDeepStrictEqual(former, model)) return undefined
  const [before, after] = [partsOf(former), partsOf(model)]
  const changes = [
    ...[...after.keys()].filter((name) => !before.has(name)).map((name) => `${name} is new`),
    ...[...before.keys()].filter((name) => !after.has(name)).map((name) => `${name} is gone`),
    ...[...after]
      .filter(([name, part]) => before.has(name) && !isDeepStrictEqual(before.get(name), part))
      .map(([name]) => `${name} has changed`),
  ]
  const more = changes.length > MAX_NAMED ? ` and ${changes.length - MAX_NAMED} more` : ''
  return changes.slice(0, MAX_NAMED).join(', ') + more
}

/** Classes without their properties, properties, rules, and the title and description of the API. */
function partsOf({ classes, access, accounts, ...about }: Model): Map<string, unknown> {
  const rules = access && { ...access, classes: new Map(access.classes) }
  // What `accounts` says is said of that class, too.
  rules?.classes.delete(ACCOUNT)
  const parts = new Map<string, unknown>([
    ['title or description', about],
    ['access', rules],
    ['accounts', accounts],
  ])
  for (const { properties, fingerprint: _, ...cls } of classes.filter((one) => !one.isBuiltIn)) {
    parts.set(cls.name, cls)
    for (const property of properties) parts.set(`${cls.name}.${property.name}`, property)
  }
  return parts
}
