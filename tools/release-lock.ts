interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
}

interface LockedPackage {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  /** The folder of a workspace. */
  readonly resolved?: string
  readonly link?: boolean
}

interface Lock {
  readonly lockfileVersion: number
  readonly packages: Readonly<Record<string, LockedPackage>>
}

/**
 * The lock file that a published package would have alone: of the lock file of the clone, what it needs in the end.
 * `npm sbom` lists every workspace of a lock file, whatever it is asked for.
 */
export function lockOf({ name, version, dependencies = {} }: Manifest, { lockfileVersion, packages }: Lock) {
  const needed: Record<string, LockedPackage> = { '': { version, dependencies } }
  const waiting = Object.keys(dependencies).map((dependency) => ({ from: '', dependency }))
  for (const { from, dependency } of waiting) {
    const place = findPlace(packages, from, dependency)
    if (place === undefined || place in needed) continue
    const { link, resolved = '', ...found } = packages[place] ?? {}
    const locked = link ? (packages[resolved] ?? {}) : found
    needed[place] = locked
    const further = Object.keys({ ...locked.dependencies, ...locked.optionalDependencies })
    waiting.push(...further.map((one) => ({ from: place, dependency: one })))
  }
  return { name, version, lockfileVersion, requires: true, packages: needed }
}

/** Where Node.js finds a dependency: in the package's own node_modules, or in those of the folders above. */
function findPlace(packages: Lock['packages'], from: string, dependency: string): string | undefined {
  for (let folder = from; ; folder = folder.replace(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, '')) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${dependency}`
    if (place in packages) return place
    if (folder === '') return undefined
  }
}
