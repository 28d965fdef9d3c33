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
export async function importThings(members: number): Promise<Imported> {
  const folder = mkdtempSync(join(tmpdir(), 'hydrant-bench-'))
  writeFileSync(join(folder, 'api.yaml'), API)
  await writeThings(join(folder, 'things.ndjson'), members)
  const started = performance.now()
  const child = fork(
    join(import.meta.dirname, 'hydrant-command.ts'),
    ['import', 'api.yaml', 'things.ndjson', '--db', 'sqlite:things.db'],
    { cwd: folder, silent: true },
  )
  child.stderr?.pipe(process.stderr)
  const peakMegabytes = await ended(child)
  return { folder, seconds: (performance.now() - started) / 1000, peakMegabytes }
}

/** Serves them; in `folder` where they have been imported already. */
export async function startThings(members: number, folder?: string): Promise<ThingServer> {
  const home = folder ?? (await importThings(members)).folder
  const user = fork(
    join(import.meta.dirname, 'hydrant-command.ts'),
    ['user', 'add', '1', '--db', 'sqlite:things.db'],
    {
      cwd: home,
      silent: true,
    },
  )
  user.stdin?.end(`${PARAPHRASE}\n`)
  await ended(user)
  const server = await startHydrant(['api.yaml', '--db', 'sqlite:things.db'], home)
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
