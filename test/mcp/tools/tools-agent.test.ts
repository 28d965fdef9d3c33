import assert from 'node:assert/strict'
import { test } from 'node:test'
import { library } from '../apis.ts'
import type { ConnectedBridge, Data } from '../bridge.ts'

/** Chooses tools and arguments by what `tools/list` says about them, as a model does; it knows nothing of the API. */
async function meetTools({ client, call, refused }: ConnectedBridge) {
  const { tools } = await client.listTools()
  const named = (words: RegExp): string => {
    const [found, ...others] = tools.filter(({ description = '' }) => words.test(description))
    assert.ok(found && others.length === 0, `${words} is said of ${others.length + 1} tools`)
    return found.name
  }
  const only = (name: string): string => {
    const [argument, ...others] = (tools.find((one) => one.name === name)?.inputSchema.required ??
      []) as string[]
    assert.ok(argument && others.length === 0)
    return argument
  }
  const [begin, describe, search, read, change] = [
    /^Begin here/,
    /^Properties, constraints, operations/,
    /^Members of a collection/,
    /^A member, page or collection by its address/,
    /^create .*update.*need ifMatch/,
  ].map(named) as [string, string, string, string, string]
  return {
    begin: () => call(begin),
    describe: (name: string) => call(describe, { [only(describe)]: name }),
    search: (collection: string, query: object) => call(search, { [only(search)]: collection, query }),
    read: (address: string) => call(read, { [only(read)]: address }),
    change: (asked: object) => call(change, asked),
    changeLate: (asked: object) => refused(change, asked),
  }
}

// contract: A language model works with a hypermedia API
test('An agent that knows only the descriptions finds a book, changes it, meets a conflict and mends it', async () => {
  const bridge = await library()
  const { other } = bridge
  const author = await other.collection('authors').create({ name: 'J. R. R. Tolkien' })
  await other.collection('books').create({ title: 'The Hobbit', author: author.iri, available: true })

  // The task: the Hobbit was lent, so it is not available; add a note about it, and keep what others have noted.
  const agent = await meetTools(bridge)
  const { collections } = await agent.begin()
  const lines = collections.flatMap(({ may, names }: Data) =>
    may.includes('update') ? Object.entries<string>(names) : [],
  ) as [string, string][]
  const [collection = ''] = lines.find(([, line]) => /\bbook\b/i.test(line.replace(/^\w+: /, ''))) ?? []
  const { properties, filters } = await agent.describe(collection)
  const [flag = ''] = Object.entries<Data>(properties).find(([, { type }]) => type === 'boolean') ?? []
  const [text = ''] =
    (Object.entries<string[]>(filters.byOperators).find(([key]) => key.includes('contains')) ?? [])[1] ?? []
  const { members } = await agent.search(collection, { [`${text}.contains`]: 'hobbit' })
  assert.equal(members.length, 1)
  const { address, etag, member, may } = await agent.read(members[0]['@id'])
  assert.ok(may.includes('update') && member[flag] === true)

  await (await other.get(address)).update({ notes: 'The cover is torn.' })

  const asked = {
    address,
    operation: 'update',
    body: { [flag]: false, notes: 'Lent to Ann.' },
    ifMatch: etag,
  }
  const { details } = await agent.changeLate(asked)
  const notes = `${details.current.notes} Lent to Ann.`
  const done = await agent.change({ ...asked, body: { [flag]: false, notes }, ifMatch: details.etag })
  assert.deepEqual([done.member[flag], done.member.notes], [false, 'The cover is torn. Lent to Ann.'])
  assert.equal((await other.get(address)).data.notes, notes)
})
