import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../support/markdown.ts'
import { startMiddleman } from '../support/middleman.ts'
import { newPostgres, postgresUrl } from '../support/postgres.ts'
import { start } from '../support/processes.ts'
import { eventually } from './hosts.ts'

test('the log says once that the database is away, and why, and once that it is back; never its password', async (t) => {
  const middleman = await startMiddleman(t, postgresUrl())
  const server = await start(
    t,
    [
      join(ROOT, 'src', 'cli', 'main.ts'),
      'serve',
      join(ROOT, 'examples', 'library.yaml'),
      '--port',
      '0',
      '--no-auth',
    ],
    /"msg":"listening"/,
    { env: { HYDRANT_DB: middleman.through(newPostgres(t)), HYDRANT_LOG_FORMAT: 'json' } },
  )
  const base = /"url":"([^"]+)"/.exec(server.stdout())?.[1] ?? ''
  const statusOf = async () => (await fetch(`${base}/authors`)).status
  const lines = (text: string) =>
    server
      .stdout()
      .split('\n')
      .filter((line) => line.includes(text))
  assert.equal(await statusOf(), 200)

  middleman.refuse()
  for (let n = 0; n < 5; n += 1) assert.equal(await statusOf(), 503)
  await middleman.accept()
  await eventually('it says that the database is back', async () => {
    await statusOf()
    return lines('the database answers again').length > 0
  })

  const [away = '', ...others] = lines('the database cannot be reached')
  assert.match(away, /"level":40.*"reason":"[^"]*(?:ECONNREFUSED|connection)/i)
  assert.deepEqual(others, [])
  assert.equal(lines('the database answers again').length, 1)
  assert.equal(server.output().includes(new URL(postgresUrl()).password), false)
})
