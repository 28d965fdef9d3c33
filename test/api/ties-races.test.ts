import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inSoak } from '../support/soak.ts'
import { serveOffice } from './accounts/office.ts'
import { CREATE } from './newsroom.ts'

const ROUNDS = inSoak(60, 12)

type Office = Awaited<ReturnType<typeof serveOffice>>

/** A project with two tasks of somebody else, of which Tom is a member. */
async function openProject({ as, base }: Office, round: number) {
  const [project, one, other] = [`projects/p${round}`, `tasks/a${round}`, `tasks/b${round}`]
  const account = (id: number) => `${base}/accounts/${id}`
  const { status } = await as.sue.send('PUT', `/${project}`, { members: [account(34), account(35)] }, CREATE)
  assert.equal(status, 201)
  for (const task of [one, other]) {
    const body = { title: 'old', project: `${base}/${project}` }
    assert.equal((await as.eve.send('PUT', `/${task}`, body, CREATE)).status, 201)
  }
  return { project, one, other, withoutTom: { members: [account(35)] } }
}

/** As each kind of write is answered where it was before the removal, and where it was after it. */
const WRITES = {
  update: [200, 404],
  batch: [200, 404],
  creation: [201, 403],
  removal: [204, 404],
} as const

// contract: Such a rule holds for this user and this member
test('a write of who is taken off a project is carried out before that or not at all, and none after it', async (t) => {
  const office = await serveOffice(t)
  const { as, base } = office
  for (let round = 0; round < ROUNDS; round++)
    for (const [kind, [before, after]] of Object.entries(WRITES)) {
      const place = round * Object.keys(WRITES).length + Object.keys(WRITES).indexOf(kind)
      const { project, one, other, withoutTom } = await openProject(office, place)
      const title = 'new'
      const operation = [one, other].map((target) => ({ method: 'PATCH', target, body: { title } }))
      const write = async (): Promise<number> => {
        if (kind === 'update') return (await as.tom.send('PATCH', `/${one}`, { title })).status
        if (kind === 'batch') return (await as.tom.send('POST', '/batch', { operation })).status
        if (kind === 'removal') return (await as.tom.send('DELETE', `/${one}`)).status
        return (await as.tom.send('POST', '/tasks', { title, project: `${base}/${project}` })).status
      }
      const takeOff = async () => (await as.sue.send('PATCH', `/${project}`, withoutTom)).status
      const all = round % 2 === 0 ? [write(), takeOff()] : [takeOff(), write()].reverse()
      const [written, taken] = await Promise.all(all)
      assert.equal(taken, 200)
      assert.ok(written === before || written === after, `${kind}: ${written}`)
      const titles = async () => {
        const { member } = (await as.eve.send('GET', `/tasks?project=${base}/${project}`)).json()
        return (member as { title: string }[]).map((task) => task.title).join()
      }
      const expected = { update: 'new,old', batch: 'new,new', creation: 'old,old,new', removal: 'old' }
      assert.equal(await titles(), written === before ? expected[kind as keyof typeof WRITES] : 'old,old')
      const left = await titles()
      // A removed member is gone for everybody.
      assert.equal(await write(), after)
      assert.equal(await titles(), left)
    }
})
