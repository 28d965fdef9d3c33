import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createInput } from '../../../src/api/index.ts'
import { type JsonObject, readJson } from '../../../src/json.ts'
import { classSchemas } from '../../../src/members/conversion/conversion.ts'
import { readText, type Selection } from '../../../src/members/index.ts'
import { openStore } from '../../../src/store/open.ts'
import { type Class, indexedKey, type Property } from '../../../src/vocabulary/index.ts'
import { newPostgres, onPostgres } from '../../support/postgres.ts'
import { modelOf } from '../../support/service.ts'
import { ALL } from '../../support/shapes.ts'
import { inSoak } from '../../support/soak.ts'

// Hosts with files that differ compatibly write to one database, as a model of it says (hosts.md, A changed API file).

const BASE = 'http://x.example/api'
const TYPES = {
  s1: 'string',
  s2: 'string',
  s3: 'string',
  m1: 'many string',
  i1: 'integer',
  l1: 'Other',
} as const
type Name = keyof typeof TYPES
const NAMES = Object.keys(TYPES) as Name[]
const DEFAULTS: Partial<Record<Name, string | number>> = { s1: 'usual one', s2: 'usual two', i1: 7 }

interface Declared {
  readonly isThere: boolean
  readonly isFiltered: boolean
  readonly hasDefault: boolean
}
type File = Readonly<Record<Name, Declared>>
type Values = Record<string, unknown>

/** All that was said of a member, and the defaults that it was filled with. */
interface Said {
  readonly values: Values
  readonly filled: Set<string>
}

const aFile: fc.Arbitrary<File> = fc.record(
  Object.fromEntries(
    NAMES.map((name) => [
      name,
      fc.record({ isThere: fc.boolean(), isFiltered: fc.boolean(), hasDefault: fc.boolean() }),
    ]),
  ) as Record<Name, fc.Arbitrary<Declared>>,
)

/** A file with one property besides that of all. */
const fileWith = (name?: Name, ...settings: (keyof Declared)[]): File =>
  Object.fromEntries(
    NAMES.map((one) => {
      const is = (setting: keyof Declared) => one === name && settings.includes(setting)
      const isThere = one === name
      return [one, { isThere, isFiltered: is('isFiltered'), hasDefault: is('hasDefault') }]
    }),
  ) as File

const thereIn = (file: File): Name[] => NAMES.filter((name) => file[name].isThere)
const defaultOf = (file: File, name: Name) => (file[name].hasDefault ? DEFAULTS[name] : undefined)

const textOf = (file: File): string => `classes:
  Other: { properties: { name: string } }
  Thing:
    properties:
      s0: string
${thereIn(file)
  .map((name) => {
    const type = TYPES[name].replace('many ', '')
    const many = TYPES[name].startsWith('many') ? ', many: true' : ''
    const usual = defaultOf(file, name)
    const filter = file[name].isFiltered ? '' : ', filterable: false'
    return `      ${name}: { type: ${type}${many}${usual === undefined ? '' : `, default: ${usual}`}${filter} }`
  })
  .join('\n')}
`

async function openHost(db: string, file: File) {
  const model = modelOf(textOf(file))
  const store = await openStore(db, classSchemas(model), { onMigratedElsewhere: () => {} })
  const cls = model.classes.find(({ name }) => name === 'Thing') as Class
  return { file, store, cls, input: createInput(cls, BASE), names: thereIn(file) }
}
type Host = Awaited<ReturnType<typeof openHost>>

const sent = (values: Values): JsonObject =>
  readJson(JSON.stringify(values).replaceAll('"/others/', `"${BASE}/others/`)) as JsonObject

function someValues({ names }: Host, choice: number): Values {
  const value: Record<Name, unknown> = {
    ...{ s1: `one w${choice % 3}`, s2: `two w${choice % 4}`, s3: `three w${choice % 5}` },
    ...{ m1: [`m w${choice % 3}`, `n w${choice % 2}`], i1: choice % 4, l1: `/others/o${choice % 2}` },
  }
  const said = names.filter((_, index) => (choice >> index) % 2 === 1).map((name) => [name, value[name]])
  return { s0: `zero w${choice % 3}`, ...Object.fromEntries(said) }
}

/** What a host shows: its own properties, with defaults that the member was not filled with. */
function shownBy({ file, names }: Host, { values, filled }: Said): Values {
  const own = names.flatMap((name): [string, unknown][] => {
    if (name in values) return [[name, values[name]]]
    const usual = filled.has(name) ? undefined : defaultOf(file, name)
    return usual === undefined ? [] : [[name, usual]]
  })
  return { s0: values.s0, ...Object.fromEntries(own) }
}

/** A host that writes, or converts, fills its defaults in. */
function fill(host: Host, said: Said): void {
  Object.assign(said.values, shownBy(host, said))
  for (const name of host.names) if (defaultOf(host.file, name) !== undefined) said.filled.add(name)
}

async function write(host: Host, model: Map<string, Said>, choice: number): Promise<void> {
  const { store, input, names, file } = host
  const known = [...model.keys()][choice % Math.max(1, model.size)]
  const said = someValues(host, choice)
  if (known === undefined || choice % 4 === 0) {
    const id = `t${model.size}x${choice}`
    if (model.has(id)) return
    assert.equal((await store.members.add('Thing', input.create(sent(said), id, 0))).outcome, 'added')
    const added = { values: said, filled: new Set<string>() }
    fill(host, added)
    model.set(id, added)
    return
  }
  if (choice % 13 === 0) {
    assert.equal((await store.members.remove('Thing', known, undefined)).outcome, 'removed')
    model.delete(known)
    return
  }
  const before = model.get(known) as Said
  fill(host, before)
  const gone = names.filter((name) => !(name in said))
  const isPut = choice % 2 === 0
  const { outcome } = await store.members.change('Thing', known, undefined, (current) =>
    isPut
      ? input.replace(sent(said), current, 0)
      : input.update(sent({ ...said, ...Object.fromEntries(gone.map((name) => [name, null])) }), current, 0),
  )
  assert.equal(outcome, 'changed')
  for (const name of gone) {
    const usual = isPut ? defaultOf(file, name) : undefined
    if (usual === undefined) delete before.values[name]
    else before.values[name] = usual
  }
  Object.assign(before.values, said)
}

async function assertShown(host: Host, model: ReadonlyMap<string, Said>): Promise<void> {
  for (const [id, said] of model) {
    const found = await host.store.members.find('Thing', id)
    assert.ok(found, id)
    assert.deepEqual(readText(found.body), shownBy(host, said), id)
  }
}

const listIds = async ({ store }: Host, more: Partial<Selection>): Promise<string[]> =>
  (await store.members.list('Thing', { ...ALL, ...more })).members.map(({ id }) => id).sort()

/** Every filter and every word of each host, after conversion. `newest`: only its words have none of other properties. */
async function assertFound(host: Host, newest: Host, model: ReadonlyMap<string, Said>): Promise<void> {
  const shown = [...model].map(([id, said]) => ({ id, values: shownBy(host, said) }))
  const filtered = host.names.filter((name) => host.file[name].isFiltered)
  /** The default of a file that is not the newest one is shown, and has neither a key nor words. */
  const isOnlyShown = (name: 's0' | Name, value: unknown) =>
    host !== newest && name !== 's0' && value === DEFAULTS[name]
  for (const name of filtered) {
    const property = host.cls.properties.find((one) => one.name === name) as Property
    for (const value of new Set(shown.flatMap(({ values }) => [values[name] ?? []].flat()))) {
      const expected = shown.filter(({ values }) => [values[name] ?? []].flat().includes(value))
      if (isOnlyShown(name, value)) continue
      const filter = { property: name, test: 'in', keys: [indexedKey(property, value as string)] } as const
      assert.deepEqual(await listIds(host, { filters: [filter] }), idsOf(expected), `${name}=${value}`)
    }
  }
  const searched: ('s0' | Name)[] = ['s0', ...filtered.filter((name) => TYPES[name].includes('string'))]
  for (const word of ['zero', 'one', 'two', 'three', 'm', 'n', 'w0', 'w1', 'w2', 'w3', 'w4']) {
    const expected = shown.filter(({ values }) =>
      searched.some((name) =>
        [values[name] ?? []]
          .flat()
          .some((text) => !isOnlyShown(name, text) && String(text).split(' ').includes(word)),
      ),
    )
    const found = await listIds(host, { words: [word] })
    if (host === newest) assert.deepEqual(found, idsOf(expected), `q=${word}`)
    else
      assert.deepEqual(
        idsOf(expected).filter((id) => !found.includes(id)),
        [],
        `q=${word}`,
      )
  }
}

const idsOf = (all: readonly { readonly id: string }[]): string[] => all.map(({ id }) => id).sort()

test('hosts whose files differ compatibly show, keep and find what a model says', async (t) => {
  async function live(files: readonly File[], choices: readonly number[]): Promise<void> {
    const db = newPostgres(t)
    const hosts: Host[] = []
    const model = new Map<string, Said>()
    /** Another host would wait for the end of the lease. */
    const release = () => onPostgres(db, "DELETE FROM settings WHERE name = 'conversion'")
    const turnAll = async () => {
      await release()
      for (const { store } of hosts) while (await store.catchUp.turn());
      // Each host hears that the others are done.
      for (const { store } of hosts) await store.catchUp.turn()
    }
    try {
      for (const [round, file] of files.entries()) {
        const newest = await openHost(db, file)
        hosts.push(newest)
        if (round === 0) {
          const other = modelOf(textOf(file)).classes.find(({ name }) => name === 'Other') as Class
          for (const id of ['o0', 'o1'])
            await newest.store.members.add('Other', createInput(other, BASE).create(sent({}), id, 0))
        }
        for (const choice of choices) {
          const host = hosts[choice % hosts.length] as Host
          await write(host, model, (choice >> 2) + round)
          for (const one of hosts) await assertShown(one, model)
        }
        await turnAll()
        for (const said of model.values()) fill(newest, said)
        for (const one of hosts) await assertShown(one, model)
        for (const one of hosts) await assertFound(one, newest, model)
      }
    } finally {
      for (const { store } of hosts) await store.close()
    }
  }
  // The newest host adds a member without a default of another host, which has not heard of the newest file.
  const without: File = fileWith()
  const newer: [File[], number[]] = [
    [without, fileWith('s2', 'hasDefault'), fileWith('i1')],
    [0, 3947],
  ]
  const files = fc.array(aFile, { minLength: 2, maxLength: 3 })
  const choices = fc.array(fc.nat({ max: 4_000 }), { minLength: 4, maxLength: 12 })
  await fc.assert(fc.asyncProperty(files, choices, live), {
    ...{ numRuns: inSoak(30, 3), interruptAfterTimeLimit: inSoak(300_000, 15_000), examples: [newer] },
  })
})
