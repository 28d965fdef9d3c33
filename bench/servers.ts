import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Prepared } from './bare-server.ts'

export interface BenchServer {
  readonly port: number
  readonly pid: number
  /** Microseconds used so far. */
  processorTime(): Promise<number>
  stop(): Promise<void>
}

export async function startBare(responses: Readonly<Record<string, Prepared>>): Promise<BenchServer> {
  const child = fork(join(import.meta.dirname, 'bare-server.ts'), {
    env: { ...process.env, BENCH_RESPONSES: JSON.stringify(responses) },
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return toServer(child, port)
}

export interface ExampleServer extends BenchServer {
  readonly paraphrase: string
}

/** The bundled example on a database of its own. */
export async function startExample(flags: readonly string[] = []): Promise<ExampleServer> {
  const folder = mkdtempSync(join(tmpdir(), 'hydrant-bench-'))
  const started = await startHydrant(flags, folder, `sqlite:${join(folder, 'bench.db')}`)
  const paraphrase = /write it down:\n\n {2}(.+)\n/.exec(started.output)?.[1] ?? ''
  return {
    ...started,
    paraphrase,
    async stop() {
      await started.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** `hydrant serve` in a folder, with what it has printed when it was ready. */
export async function startHydrant(
  args: readonly string[],
  folder: string,
  db: string,
): Promise<BenchServer & { readonly output: string }> {
  const all = ['serve', ...args, '--port', '0', '--log-format', 'pretty']
  const child = fork(join(import.meta.dirname, 'hydrant-server.ts'), all, {
    silent: true,
    cwd: folder,
    env: { ...process.env, HYDRANT_DB: db, HYDRANT_CONSOLE_PORT: 'off' },
  })
  child.stderr?.pipe(process.stderr)
  let output = ''
  child.stdout?.setEncoding('utf8')
  while (!/X-Authorization: \$TOKEN/.test(output))
    output += (await once(child.stdout as NodeJS.ReadableStream, 'data'))[0]
  return { ...toServer(child, Number(/listening on http:\/\/localhost:(\d+)/.exec(output)?.[1])), output }
}

function toServer(child: ChildProcess, port: number): BenchServer {
  return {
    port,
    pid: child.pid as number,
    async processorTime() {
      child.send('processor time?')
      const [{ processorTime }] = (await once(child, 'message')) as [{ processorTime: number }]
      return processorTime
    },
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
