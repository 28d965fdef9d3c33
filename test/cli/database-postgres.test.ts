import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from '../support/markdown.ts'
import { onPostgres } from '../support/postgres.ts'
import { temporaryFolder } from '../support/service.ts'
import { assertRefused, each, folderWithApi, hydrant, serveIn } from './command.ts'
import { assertSilent, done, newPlace } from './postgres-place.ts'

const PARAPHRASE = 'open sesame\n'

describe('commands on PostgreSQL', () => {
  // contract: `--db` ¦ `sqlite:hydrant.db` ¦
  test('users are added to an empty database, listed, changed and removed', async (t) => {
    const { command } = newPlace(t)
    const ids = [1, 2, 3]
    for (const id of ids) await done(command(['user', 'add', `${id}`], PARAPHRASE))
    const listed = JSON.parse(await done(command(['user', 'list', '--json']))) as { id: number }[]
    assert.deepEqual(
      listed.map(({ id }) => id),
      ids,
    )
    assertRefused(await command(['user', 'add', '3'], PARAPHRASE), 1, 'User 3 exists')
    assert.match(await done(command(['user', 'paraphrase', '3'], 'another\n')), /new passphrase/)
    assert.match(await done(command(['user', 'remove', '3'])), /removed/)
    assert.match(await done(command(['token', 'list'])), /no live tokens/)
    assert.match(await done(command(['token', 'revoke', '--all'])), /0 tokens ended/)
  })

  test('those that look make nothing where there is nothing, and say where they looked', async (t) => {
    const { command, url } = newPlace(t)
    const { host, pathname, searchParams } = new URL(url)
    const looking = [
      ['user', 'list'],
      ['user', 'paraphrase', '1'],
      ['user', 'remove', '1'],
      ['token', 'list'],
      ['token', 'revoke', '--all'],
      ['export', 'api.yaml'],
      ['check', 'api.yaml', '--db', url],
    ]
    await each(looking, async (args) => {
      assertRefused(
        await command(args, PARAPHRASE),
        1,
        `"${searchParams.get('search_path')}" of postgres://${host}${pathname}`,
      )
    })
    assertRefused(
      await command(['user', 'list']),
      1,
      'hydrant user add 1',
      'hydrant copy --from sqlite:<path>',
    )
    assert.match(await done(command(['check', 'api.yaml'])), /There is no database yet/)
    const [[found] = []] = await onPostgres(url, 'SELECT current_schema()')
    assert.equal(found, null)
  })

  // contract: `--db` ¦ `sqlite:hydrant.db` ¦
  test('one that cannot be reached is told of in one line', async (t) => {
    const folder = folderWithApi(t)
    const url = 'postgres://me:hush@127.0.0.1:1/library'
    for (const args of [
      ['serve', '--port', '0'],
      ['user', 'list'],
      ['check', 'api.yaml'],
      ['export', 'api.yaml'],
    ]) {
      const refused = await hydrant(args, { cwd: folder, env: { HYDRANT_DB: url } })
      assertRefused(refused, 1, '127.0.0.1:1/library')
      assert.ok(!refused.stderr.includes('hush'))
    }
  })

  test('backup is for the embedded database, and names the program that PostgreSQL has', async (t) => {
    const { command, url } = newPlace(t)
    const schema = new URL(url).searchParams.get('search_path')
    assertRefused(await command(['backup', 'copy.db']), 2, 'sqlite:<path>', `pg_dump --schema=${schema}`)
  })

  test('serve proposes commands on the database without its password', async (t) => {
    const { folder, env, url } = newPlace(t)
    const server = await serveIn(t, folder, ['--log-format', 'pretty'], env, /X-Authorization: \$TOKEN/)
    assert.match(server.output(), /HYDRANT_DB=postgres:\/\/… \S*hydrant user add 1/)
    assert.equal(await server.stop(), 0)
    assertSilent(url, server.output())
  })

  test('serve without an API file: two processes at once on an empty database add its sample data once, and one user', async (t) => {
    const { env, url } = newPlace(t)
    const { host, pathname } = new URL(url)
    const servers = await Promise.all(
      Array.from({ length: 2 }, () => serveIn(t, temporaryFolder(t), [], env, /"msg":"serving"/)),
    )
    for (const server of servers) {
      assert.ok(server.output().includes(`"db":"postgres://${host}${pathname}`))
      assertSilent(url, server.output())
    }
    const shown = () => servers.filter((server) => server.output().includes('shown this once')).length
    // It is on standard error, and what "serving" is on may be read first.
    for (let tries = 0; tries < 200 && shown() === 0; tries++) await sleep(50)
    assert.equal(shown(), 1)
    const totals = await onPostgres(
      env.HYDRANT_DB,
      "SELECT sum(total)::int FROM totals JOIN classes ON id = class_id WHERE name <> 'Account'",
    )
    const lines = readFileSync(join(ROOT, 'examples', 'library.ndjson'), 'utf8')
      .split('\n')
      .filter(Boolean)
    assert.equal(totals[0]?.[0], lines.length)
  })

  // contract: `--db` ¦ `sqlite:hydrant.db` ¦
  test('check compares with what is stored, and changes nothing', async (t) => {
    const { folder, command, url } = newPlace(t)
    writeFileSync(join(folder, 'data.ndjson'), '{"@type":"Author","@id":"/authors/1","name":"Ann"}\n')
    await done(command(['import', 'api.yaml', 'data.ndjson']))
    writeFileSync(
      join(folder, 'new.yaml'),
      'title: L\nclasses:\n  Author:\n    properties:\n      name: { type: integer }\n',
    )
    const { status, stdout } = await command(['check', 'new.yaml'])
    assert.equal(status, 1)
    assert.match(stdout, /\/authors\/1: name: /)
    assert.match(
      await done(command(['check', 'api.yaml', '--db', url])),
      /Every member in the database can be served/,
    )
    const refused = await command(['import', 'new.yaml', 'data.ndjson'])
    assertRefused(refused, 1, 'another API file', 'HYDRANT_DB=postgres://… ')
  })
})
