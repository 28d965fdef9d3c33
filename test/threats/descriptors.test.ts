import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { fitConnections } from '../../src/service/index.ts'
import { folderWithApi, IN_MEMORY } from '../cli/command.ts'
import { HYDRANT, start } from '../support/processes.ts'

// Each connection takes a file descriptor, and so do the health port, the database and files.

test('as many connections are accepted as there are file descriptors for, and a warning says what to do', () => {
  const CASES: readonly [asked: number, workers: number, descriptors: number, accepted: number][] = [
    [10_000, 1, Number.POSITIVE_INFINITY, 10_000],
    [10_000, 1, 10_512, 10_000],
    [10_000, 1, 10_511, 9_999],
    [10_000, 1, 4_096, 3_584],
    [10_000, 4, 4_096, 10_000],
    [10_000, 2, 4_096, 7_168],
    [10_000, 1, 128, 64],
    [50, 1, 128, 50],
  ]
  for (const [maxConnections, workers, descriptors, accepted] of CASES) {
    const warnings: string[] = []
    const log = { warn: (_: object, message: string) => void warnings.push(message) }
    const config = fitConnections({ maxConnections, workers }, log, descriptors)
    assert.equal(config.maxConnections, accepted)
    assert.equal(warnings.length, accepted < maxConnections ? 1 : 0)
    const needed = Math.ceil(maxConnections / workers) + 512
    for (const warning of warnings) {
      const values = [
        accepted,
        descriptors,
        `ulimit -n ${needed}`,
        `LimitNOFILE=${needed}`,
        '--max-connections',
      ]
      for (const value of values) assert.ok(warning.includes(String(value)), warning)
    }
  }
})

const FEW =
  'data:text/javascript,process.getBuiltinModule("node:child_process").execFileSync("prlimit",["--nofile=128","--pid",String(process.pid)])'

test('a server with few file descriptors keeps some for its health port, however many connect', {
  skip: process.platform !== 'linux',
  timeout: 60_000,
}, async (t) => {
  const args = ['--import', FEW, HYDRANT, 'serve', '--no-auth', '--port', '0', '--ops-port', '0']
  const server = await start(t, args, /"msg":"listening"/, { cwd: folderWithApi(t), env: IN_MEMORY })
  assert.equal(server.output().match(/only 64 connections are accepted/g)?.length, 1, server.output())
  const [ops, base] = ['ops', 'url'].map(
    (name) => new RegExp(`"${name}":"([^"]+)"`).exec(server.output())?.[1] ?? '',
  )
  const silent = Array.from({ length: 200 }, () => connect(Number(new URL(base ?? '').port), '127.0.0.1'))
  t.after(() => {
    for (const socket of silent) socket.destroy()
  })
  await Promise.all(
    silent.map((socket) =>
      once(
        socket.on('error', () => {}),
        'connect',
      ),
    ),
  )
  assert.equal((await fetch(`${ops}/healthz`)).status, 200)
  assert.equal((await fetch(`${base}`)).status, 200)
})
