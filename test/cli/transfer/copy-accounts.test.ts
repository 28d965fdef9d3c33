import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { serveOffice } from '../../api/accounts/office.ts'
import type { Visitor } from '../../api/users.ts'
import { newPostgres } from '../../support/postgres.ts'
import { temporaryFolder } from '../../support/service.ts'
import { newSqlite } from '../../support/stores.ts'
import { hydrant } from '../command.ts'

const NEW = { 'If-None-Match': '*' }

test('copy and backup keep accounts, what links to them, and whose they are', async (t) => {
  const db = newSqlite(t)
  const office = await serveOffice(t, { db })
  const { as, base } = office
  assert.equal((await as.boss.send('GET', '/accounts')).status, 200)
  const project = { title: 'Site', members: [`${base}/accounts/34`] }
  assert.equal((await as.sue.send('PUT', '/projects/site', project, NEW)).status, 201)
  const task = { title: 'Draw', project: `${base}/projects/site`, assignee: `${base}/accounts/34` }
  assert.equal((await as.tom.send('PUT', '/tasks/draw', task, NEW)).status, 201)
  await office.close()

  const backup = join(temporaryFolder(t), 'backup.db')
  const backedUp = await hydrant(['backup', backup, '--db', db])
  assert.equal(backedUp.status, 0, backedUp.stderr)
  const postgres = newPostgres(t)
  const copied = await hydrant(['copy', '--from', db], { env: { HYDRANT_TO: postgres } })
  assert.equal(copied.status, 0, copied.stderr)

  for (const copy of [`sqlite:${backup}`, postgres]) {
    const service = await serveOffice(t, { db: copy })
    const titles = async (who: Visitor) => (await who.send('GET', '/tasks')).json().totalItems
    assert.deepEqual([await titles(service.as.tom), await titles(service.as.eve)], [1, 0], copy)
    const read = (await service.as.tom.send('GET', '/tasks/draw')).json()
    assert.equal(read.assignee, `${service.base}/accounts/34`)
    assert.equal((await service.as.tom.send('GET', '/accounts/34')).status, 200)
    assert.equal((await service.as.boss.send('GET', '/accounts')).json().totalItems, 6)
    assert.deepEqual(
      service.logged.filter((line) => line.includes('removed')),
      [],
    )
    await service.close()
  }
})
