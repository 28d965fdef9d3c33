import { readFileSync } from 'node:fs'

// Uses only syntax that an old Node.js understands, so that it can print which version is needed.

/** Why this process cannot be a server; undefined if it can. */
export function runtimeProblem(versions: NodeJS.ProcessVersions = process.versions): string | undefined {
  // Both claim to be a recent Node.js, but differ in sockets, threads and node:sqlite, which keep the data safe.
  const [other] = (['Bun', 'Deno'] as const).filter((name) => versions[name.toLowerCase()] !== undefined)
  const wanted: string = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ).engines.node.replace('>=', '')
  const [wantedMajor = 0, wantedMinor = 0] = wanted.split('.').map(Number)
  const [major = 0, minor = 0] = versions.node.split('.').map(Number)
  const isOld = major < wantedMajor || (major === wantedMajor && minor < wantedMinor)
  if (other === undefined && !isOld) return undefined
  const found = other === undefined ? versions.node : `${other} ${versions[other.toLowerCase()]}`
  const client = other === undefined ? '' : ' hydrant/client works here.'
  return `hydrant needs Node.js ${wanted} or newer, from https://nodejs.org; this is ${found}.${client}`
}

/** For the functions of the library that open a server. */
export function requireRuntime(): void {
  const problem = runtimeProblem()
  if (problem !== undefined) throw new Error(problem)
}
