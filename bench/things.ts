// A collection of small members of any size, imported by the built command.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { type BenchServer, startHydrant } from './servers.ts'

const API = `
title: Things
classes:
  Thing:
    properties:
      name: { type: string, required: true }
      group: string
      size: integer
`
const PARAPHRASE = 'measured by the bench'
/** In the folder of the server. */
const EMBEDDED = 'sqlite:things.db'

export interface ThingServer extends BenchServer {
  readonly paraphrase: string
  readonly members: number
}

export interface Imported {
  readonly folder: string
  readonly seconds: number
  readonly peakMegabytes: number
}

/** Writes the members to a file and imports it. */
export async function importThings(members: number, db: string = EMBEDDED): Promise<Imported> {
  const folder = mkdtempSync(join(tmpdir(), 'hydrant-bench-'))
  writeFileSync(join(folder, 'api.yaml'), API)
  await writeThings(join(folder, 'things.ndjson'), members)
  const started = performance.now()
  const child = forkCommand(['import', 'api.yaml', 'things.ndjson'], folder, db)
  const peakMegabytes = await ended(child)
  return { folder, seconds: (performance.now() - started) / 1000, peakMegabytes }
}

export interface ThingOptions {
  /** Where they have been imported already. */
  readonly folder?: string
  readonly db?: string
  readonly flags?: readonly string[]
}

/** Serves them. */
export async function startThings(
  members: number,
  { folder, db = EMBEDDED, flags = [] }: ThingOptions = {},
): Promise<ThingServer> {
  const home = folder ?? (await importThings(members, db)).folder
  const user = forkCommand(['user', 'add', '1'], home, db)
  user.stdin?.end(`${PARAPHRASE}\n`)
  await ended(user)
  const server = await startHydrant(['api.yaml', ...flags], home, db)
  return {
    ...server,
    paraphrase: PARAPHRASE,
    members,
    async stop() {
      await server.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** The database is named by a variable: a password may be in it. */
function forkCommand(args: readonly string[], folder: string, db: string): ChildProcess {
  const child = fork(join(import.meta.dirname, 'hydrant-command.ts'), args, {
    cwd: folder,
    silent: true,
    env: { ...process.env, HYDRANT_DB: db },
  })
  child.stderr?.pipe(process.stderr)
  return child
}

async function writeThings(path: string, members: number): Promise<void> {
  const file = createWriteStream(path)
  // A fixed step through all numbers, so that names do not come in their order.
  for (let index = 0, number = 0; index < members; index += 1, number = (number + 617_773) % members) {
    const group = `group${index % (members / 100)}`
    const line = `{"@type":"Thing","name":"The thing with number ${number}","group":"${group}","size":${number}}\n`
    if (!file.write(line)) await once(file, 'drain')
  }
  file.end()
  await finished(file)
}

/** Its peak memory in megabytes, once it has ended well. */
async function ended(child: ChildProcess): Promise<number> {
  let kilobytes = 0
  child.on('message', (message: { readonly maxRSS: number }) => {
    kilobytes = message.maxRSS
  })
  const [status] = (await once(child, 'exit')) as [number | null]
  if (status !== 0) throw new Error(`The command ended with ${status}.`)
  return kilobytes / 1024
}
