// Notices changes of files, also of those that are missing for now.
import { type FSWatcher, realpathSync, statSync, watch } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Logger } from 'pino'

export interface WatchedFiles {
  /** Watches one more file, which need not exist. */
  add(file: string): void
  /** Watches these files only. */
  retain(files: Iterable<string>): void
  /** Begins to call `onChange` with the files that have changed, also with those that have changed since they were added. */
  start(onChange: (files: ReadonlySet<string>) => void): void
  close(): void
}

interface WatchedFolder {
  readonly watcher: FSWatcher
  /** Distinguishes another folder at the same path, which this watcher does not watch. */
  readonly inode: bigint
}

interface WatchedPath {
  /** The path as it was added. */
  readonly file: string
  /** The nearest folder that exists. */
  readonly folder: string
}

/** Watches folders, since an editor may replace a file, and a file may be missing for now. */
export function createFileWatch(log: Pick<Logger, 'warn'>): WatchedFiles {
  const paths = new Map<string, WatchedPath>()
  const folders = new Map<string, WatchedFolder>()
  const changed = new Set<string>()
  let notify: ((files: ReadonlySet<string>) => void) | undefined

  function add(file: string): void {
    const path = resolve(file)
    // A symbolic link is changed at one place, and the file that it leads to at another.
    for (const one of [path, realPathOf(path)]) paths.set(one, { file, folder: watchNearest(dirname(one)) })
  }

  function watchNearest(folder: string): string {
    try {
      watchFolder(folder)
    } catch (err) {
      const parent = dirname(folder)
      const isMissing = ['ENOENT', 'ENOTDIR'].includes((err as NodeJS.ErrnoException).code ?? '')
      if (isMissing && parent !== folder) return watchNearest(parent)
      log.warn({ err }, `changes in ${folder} are not seen`)
    }
    return folder
  }

  function watchFolder(folder: string): void {
    const { ino: inode } = statSync(folder, { bigint: true })
    const watched = folders.get(folder)
    if (watched?.inode === inode) return
    watched?.watcher.close()
    folders.delete(folder)
    const watcher = watch(folder, { persistent: false }, (_, name) => noticed(folder, name))
    watcher.on('error', (err) => log.warn({ err }, `changes in ${folder} are not seen any more`))
    folders.set(folder, { watcher, inode })
  }

  /** Some systems do not report the name. If the folder itself is moved or removed, its own name is reported. */
  function noticed(folder: string, name: string | null): void {
    const isWhole = name === null || name === basename(folder)
    const path = join(folder, name ?? '')
    const found = [...paths].filter(
      ([one, { folder: its }]) => one === path || one.startsWith(`${path}/`) || (isWhole && its === folder),
    )
    for (const [, { file }] of found) {
      changed.add(file)
      // Its folder may be there now, or be another one.
      add(file)
    }
    flush()
  }

  function flush(): void {
    if (notify === undefined || changed.size === 0) return
    const files = new Set(changed)
    changed.clear()
    notify(files)
  }

  return {
    add,
    retain(files) {
      paths.clear()
      for (const file of files) add(file)
      const needed = new Set([...paths.values()].map(({ folder }) => folder))
      for (const [folder, { watcher }] of folders) {
        if (needed.has(folder)) continue
        watcher.close()
        folders.delete(folder)
      }
    },
    start(onChange) {
      notify = onChange
      flush()
    },
    close() {
      notify = undefined
      for (const { watcher } of folders.values()) watcher.close()
    },
  }
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
