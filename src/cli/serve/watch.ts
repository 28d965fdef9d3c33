// `serve --watch`: applies a changed API or access file, and changed code of --with, or logs why it cannot.
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import type { Program } from '../../api/index.ts'
import type { Config } from '../../config/index.ts'
import { importProgram, loadModel, type Service } from '../../service/index.ts'
import { linesOf } from '../../service/problems/index.ts'
import type { Store } from '../../store/index.ts'
import { ACCOUNT, type Model } from '../../vocabulary/index.ts'
import type { WatchedFiles } from './file-watch.ts'

/** What a server serves. */
export interface Served {
  readonly model: Model
  readonly store: Store
  readonly program: Program | undefined
}

interface WatchOptions {
  /** The API file. */
  readonly path: string
  readonly config: Config
  readonly log: Logger
  readonly files: WatchedFiles
  readonly takeOver: NonNullable<Service['takeOver']>
  readonly current: () => Served
  readonly openStore: (model: Model) => Promise<Store>
  /** Called with what is served from now on. */
  readonly onApplied: (served: Served) => Promise<void>
}

/** The files that --watch watches from the start; the code may import more. */
export const filesToWatch = (path: string, config: Pick<Config, 'access' | 'with'>): string[] =>
  [path, config.access, config.with].filter((file) => file !== undefined)

/** Applies changes, one at a time, until it is closed. */
export function watchServed(options: WatchOptions): { close(): Promise<void> } {
  const { path, config, files, takeOver, current, openStore, onApplied } = options
  const settings = [path, config.access]

  async function apply(changed: ReadonlySet<string>): Promise<string | undefined> {
    const isCodeChanged = [...changed].some((file) => !settings.includes(file))
    const imported = new Set<string>()
    const program = isCodeChanged ? await loadProgram(imported) : current().program
    const model = await loadModel(path, config, program)
    const changes = describeModelChange(current().model, model)
    if (changes === undefined && program === current().program) return undefined
    await replace(model, program)
    if (isCodeChanged) files.retain([...filesToWatch(path, config), ...imported])
    return [changes, isCodeChanged && `the code of ${config.with} is new`].filter(Boolean).join(', ')
  }

  async function replace(model: Model, program: Program | undefined): Promise<void> {
    const opened: Store[] = []
    try {
      await takeOver(async () => {
        const store = await openStore(model)
        opened.push(store)
        return { model, store, program }
      })
    } catch (error) {
      for (const store of opened) await store.close()
      throw error
    }
    for (const store of opened) await onApplied({ model, store, program })
  }

  async function loadProgram(imported: Set<string>): Promise<Program | undefined> {
    if (config.with === undefined) return undefined
    return importProgram(config.with, {
      longestMs: config.hookMs,
      onFile(file) {
        imported.add(file)
        files.add(file)
      },
    })
  }

  return applyChanges(files, { shown: filesToWatch(path, config).join(' and '), log: options.log, apply })
}

interface ApplyOptions {
  /** The files, for messages. */
  readonly shown: string
  readonly log: Pick<Logger, 'info' | 'error'>
  /** Called with all files that have changed since changes were last applied. Returns what has changed. */
  readonly apply: (changed: ReadonlySet<string>) => Promise<string | undefined>
}

/** Editors write twice, empty a file before they fill it, or replace it by another one; others save many files. */
const SETTLED_MS = 100
/** A file that is written all the time is applied all the same. */
const LONGEST_SETTLING = 20

/** Calls `apply` after each change, one call at a time, and logs its result or error. */
function applyChanges(files: WatchedFiles, { shown, log, apply }: ApplyOptions) {
  const changed = new Set<string>()
  let isChanged = false
  let isClosed = false
  let isRefused = false
  let running: Promise<void> | undefined

  async function settle(): Promise<void> {
    for (let round = 0; isChanged && round < LONGEST_SETTLING; round++) {
      isChanged = false
      await wait(SETTLED_MS)
    }
    isChanged = false
  }

  async function run(): Promise<void> {
    while (isChanged && !isClosed) {
      await settle()
      const taken = new Set(changed)
      changed.clear()
      try {
        const changes = await apply(taken)
        if (changes !== undefined) log.info(`${shown} applied: ${changes}`)
        else if (isRefused) log.info(`nothing to apply: the content of ${shown} is already served`)
        isRefused = false
      } catch (error) {
        for (const line of linesOf(error)) log.error(line)
        log.error('the changed file is not applied; the former one stays in force')
        isRefused = true
        for (const file of taken) changed.add(file)
      }
    }
    running = undefined
  }

  files.start((more) => {
    for (const file of more) changed.add(file)
    isChanged = true
    running ??= run()
  })
  return {
    async close(): Promise<void> {
      isClosed = true
      files.close()
      await running
    },
  }
}

const MAX_NAMED = 10

/** The differences between two API files; undefined if there are none. */
function describeModelChange(former: Model, model: Model): string | undefined {
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
  // What `accounts` says is also in the rules of that class.
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
