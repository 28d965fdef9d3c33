import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { ROOT } from '../support/markdown.ts'

/** Every TypeScript file below a folder and what it imports of ours, types included, as paths from the root. */
export function importsBelow(folder: string): ReadonlyMap<string, readonly string[]> {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file))
  return new Map(files.map((file) => [file, importsOf(file)]))
}

/** All files that are loaded with some, by static imports of values. */
export function loadedWith(files: readonly string[]): Set<string> {
  const loaded = new Set(files)
  for (const file of loaded) for (const next of importsOf(file, VALUES)) loaded.add(next)
  return loaded
}

/** What is imported below a folder and is not ours. */
export const packagesBelow = (folder: string): string[] => [
  ...new Set([...importsBelow(folder).keys()].flatMap(packagesOf)),
]

/** The same of one file. */
export const packagesOf = (file: string): string[] =>
  specifiersOf(file).filter((specifier) => !specifier.startsWith('.'))

const importsOf = (file: string, kind = ANY): string[] =>
  specifiersOf(file, kind)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => relative(ROOT, join(ROOT, dirname(file), specifier)))

const ANY = /\b(?:from|import)\s*\(?\s*'([^']+)'/g
/** A list of names that are all types (`import { type A }`) is written as `import type`, which Biome checks. */
const VALUES = /^(?:import|export) (?!type\b)(?:[^'();]*? from )?'([^']+)'/gm

function specifiersOf(file: string, kind = ANY): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  return [...text.matchAll(kind)].map(([, specifier]) => specifier as string)
}

/** One cycle, as the files on it in order; undefined when there is none. */
export function findCycle(imports: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>()
  const path: string[] = []

  function visit(file: string): readonly string[] | undefined {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return undefined
    path.push(file)
    for (const next of imports.get(file) ?? []) {
      const cycle = visit(next)
      if (cycle !== undefined) return cycle
    }
    path.pop()
    done.add(file)
    return undefined
  }

  for (const file of imports.keys()) {
    const cycle = visit(file)
    if (cycle !== undefined) return cycle
  }
  return undefined
}
