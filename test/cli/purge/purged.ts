import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { onPostgres, postgresUrl } from '../../support/postgres.ts'
import { modelOf, schemasOf, serve, temporaryFolder } from '../../support/service.ts'
import { openFor } from '../../support/stores.ts'
import { hydrant } from '../command.ts'

export const KINDS = ['SQLite', 'PostgreSQL'] as const

/** A database, a server that writes to it, and the command. */
export async function openPurged(t: TestContext, kind: (typeof KINDS)[number], api: string) {
  const folder = temporaryFolder(t)
  const db = kind === 'SQLite' ? `sqlite:${join(folder, 'test.db')}` : await ownPostgres(t)
  const file = join(folder, 'api.yaml')
  writeFileSync(file, api)
  const purge = (...args: string[]) => hydrant(['purge', file, ...args], { env: { HYDRANT_DB: db } })
  return {
    db,
    file,
    purge,
    async purged(...args: string[]) {
      const { status, stdout, stderr } = await purge(...args, '--json')
      assert.equal(status, 0, stderr)
      return JSON.parse(stdout)
    },
    /** Writes members as a server does. */
    async write(
      work: (send: Send, server: Awaited<ReturnType<typeof serve>>) => Promise<void>,
      served = api,
    ) {
      const server = await serve(t, { api: served, db })
      const token = await server.client.signIn()
      const send: Send = async (method, path, body) => {
        const isNew = method === 'PUT' && body !== undefined
        const headers = {
          'X-Authorization': token,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(isNew && { 'If-None-Match': '*' }),
        }
        const answer = await server.client.send(method, path, headers, body && JSON.stringify(body))
        assert.ok(answer.status < 300, `${answer.status} ${answer.body}`)
        return (answer.body === '' ? {} : answer.json()) as Record<string, unknown>
      }
      await work(send, server)
      // A purge needs members that have the form of the API file.
      while (await server.store.catchUp.turn());
      await server.close()
    },
    /** Opens the database as a server does. */
    open: (served = api) => openFor(t, db, schemasOf(modelOf(served))),
    /** Which of the texts are anywhere in the files of the database. */
    async found(texts: readonly string[]) {
      const bytes = kind === 'SQLite' ? filesOf(db) : await relationsOf(db)
      return texts.filter((text) => bytes.some((some) => some.includes(text)))
    },
  }
}

/** A database that no other test is connected to: PostgreSQL keeps what a transaction of any of them might still read. */
async function ownPostgres(t: TestContext): Promise<string> {
  const url = new URL(postgresUrl())
  const name = `purged_${randomBytes(8).toString('hex')}`
  await onPostgres(url.href, `CREATE DATABASE ${name}`)
  t.after(() => onPostgres(postgresUrl(), `DROP DATABASE ${name} WITH (FORCE)`))
  url.pathname = `/${name}`
  url.searchParams.set('search_path', 'purged')
  return url.href
}

type Send = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>

function filesOf(db: string): Buffer[] {
  const path = db.slice('sqlite:'.length)
  return ['', '-wal', '-shm'].flatMap((suffix) => {
    try {
      return [readFileSync(path + suffix)]
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  })
}

/** The files of all tables, of what is stored beside them, and of all indexes; and the statistics, which have samples. */
async function relationsOf(db: string): Promise<Buffer[]> {
  await onPostgres(db, 'CHECKPOINT')
  const rows = await onPostgres(
    db,
    `WITH ours AS (SELECT oid, reltoastrelid FROM pg_class WHERE relnamespace = current_schema()::regnamespace),
       all_of_them AS (
         SELECT oid FROM ours UNION SELECT reltoastrelid FROM ours
         UNION SELECT indexrelid FROM pg_index WHERE indrelid IN (SELECT reltoastrelid FROM ours))
     SELECT encode(pg_read_binary_file(pg_relation_filepath(oid)), 'base64') FROM all_of_them
     WHERE pg_relation_filepath(oid) IS NOT NULL`,
  )
  const stats = await onPostgres(db, 'SELECT s::text FROM pg_stats AS s WHERE schemaname = current_schema()')
  return [
    ...rows.map(([base64]) => Buffer.from(String(base64), 'base64')),
    ...stats.map(([text]) => Buffer.from(String(text))),
  ]
}
