import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { inSoak } from '../../support/soak.ts'
import { serveOffice } from '../accounts/office.ts'
import { CREATE } from '../newsroom.ts'

const ROUNDS = inSoak(60, 4)

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

/** The status of each kind of write where it comes too late. */
const TOO_LATE = { update: 404, batch: 404, creation: 403, removal: 404 } as const

type Kind = keyof typeof TOO_LATE
const KINDS = Object.keys(TOO_LATE) as Kind[]

// contract: Such a rule holds for this user and this member
test('a write of who is taken off a project is carried out before that or not at all, and none after it', async (t) => {
  const office = await serveOffice(t)
  const { as, base } = office
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, kind] of KINDS.entries()) {
      const { project, one, other, withoutTom } = await openProject(office, round * KINDS.length + index)
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
      const [written = 0, taken] = await Promise.all(all)
      assert.equal(taken, 200)
      // 204 where it was in time, and out of sight when it was to be shown.
      const isInTime = written < 300
      // 422 where the project was there for the right to create, and no longer for the link to it.
      const isLinkLost = kind === 'creation' && written === 422
      assert.ok(isInTime || isLinkLost || written === TOO_LATE[kind], `${kind}: ${written}`)
      const titles = async () => {
        const { member } = (await as.eve.send('GET', `/tasks?project=${base}/${project}`)).json()
        return (member as { title: string }[]).map((task) => task.title).join()
      }
      const expected = { update: 'new,old', batch: 'new,new', creation: 'old,old,new', removal: 'old' }
      assert.equal(await titles(), isInTime ? expected[kind] : 'old,old')
      const left = await titles()
      assert.equal(await write(), TOO_LATE[kind])
      assert.equal(await titles(), left)
    }
})

test('a removal whose body comes after its user was taken off the project is refused', async (t) => {
  const office = await serveOffice(t)
  const { as, client, port, base } = office
  const { project, one, withoutTom } = await openProject(office, 0)
  const socket = connect(port, '127.0.0.1')
  let received = ''
  const read = async (pattern: RegExp) => {
    while (!pattern.test(received)) received += String((await once(socket, 'data'))[0])
  }
  const head = [
    `DELETE ${new URL(base).pathname}/${one} HTTP/1.1`,
    'Host: x',
    `X-Authorization: ${await client.signIn(34)}`,
    'Expect: 100-continue',
    'Content-Length: 2',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  // Sent when the right has been checked, and the body is wanted.
  await read(/ 100 /)
  assert.equal((await as.sue.send('PATCH', `/${project}`, withoutTom)).status, 200)
  socket.write('{}')
  await read(/HTTP\/1.1 [2-5]/)
  socket.destroy()
  assert.match(received, /HTTP\/1.1 404 /)
  assert.equal((await as.eve.send('GET', `/${one}`)).status, 200)
})
