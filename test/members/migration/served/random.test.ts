import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createInput } from '../../../../src/api/index.ts'
import { type JsonObject, readJson } from '../../../../src/json.ts'
import { classSchemas } from '../../../../src/members/conversion/conversion.ts'
import { IncompatibleMembersError, type MemberStore, readText } from '../../../../src/members/index.ts'
import { Problem } from '../../../../src/problem.ts'
import { dryRun, openStore } from '../../../../src/store/open.ts'
import type { Class } from '../../../../src/vocabulary/index.ts'
import { newDatabase } from '../../../support/databases.ts'
import { modelOf } from '../../../support/service.ts'
import { inSoak } from '../../../support/soak.ts'
import {
  type ApiFile,
  type Declared,
  type Kind,
  type Step,
  steps,
  textOf,
  wholeFile,
} from './random-files.ts'

const BASE = 'http://x.example/api'
const TARGETS = ['o1', 'o2', 'o3']

/** What a member said, by the name that each property has by now; a link is the path of its target. */
type Said = Record<string, unknown>

/** All that was ever said, as plainly as can be: nothing is hidden here, only not asked for. */
interface Model {
  readonly members: Record<string, Map<string, Said>>
  readonly targets: Set<string>
}

const partsOf = (value: unknown): Said[] =>
  [value ?? []].flat().filter((one): one is Said => typeof one === 'object')

/** Gives values the names that the file has for them; false where a name would stand for two properties. */
function rename(values: readonly Said[], declared: readonly Declared[]): boolean {
  const renamed = declared.filter(
    ({ was }) => was !== undefined && values.some((said) => Object.hasOwn(said, was)),
  )
  if (renamed.some(({ name }) => values.some((said) => Object.hasOwn(said, name)))) return false
  for (const { name, was = '' } of renamed) {
    for (const said of values) {
      if (!Object.hasOwn(said, was)) continue
      said[name] = said[was]
      delete said[was]
    }
  }
  return true
}

/** What there is under a file, or undefined where the file is to be refused. */
function under(file: ApiFile, before: Model): Model | undefined {
  const model = structuredClone(before)
  const { className, was, properties, part } = file
  const sizeOf = (name: string) => model.members[name]?.size ?? 0
  if (was !== undefined && sizeOf(was) > 0) {
    if (sizeOf(className) > 0) return undefined
    model.members[className] = model.members[was] ?? new Map()
    model.members[was] = new Map()
  }
  const said = [...(model.members[className]?.values() ?? [])]
  if (!rename(said, properties)) return undefined
  for (const { name, kind } of properties)
    if (
      kind.startsWith('part') &&
      !rename(
        said.flatMap((one) => partsOf(one[name])),
        part,
      )
    )
      return undefined
  return model
}

/** What of it the file shows. */
const shownOf = (said: Said, declared: readonly Declared[], part: readonly Declared[]): Said =>
  Object.fromEntries(
    declared.flatMap(({ name, kind }): [string, unknown][] => {
      if (!Object.hasOwn(said, name)) return []
      const value = said[name]
      if (!kind.startsWith('part')) return [[name, value]]
      const shown = partsOf(value).map((one) => shownOf(one, part, []))
      return [[name, kind === 'part' ? shown[0] : shown]]
    }),
  )

/** Values for some of the properties, none like any other; `choice` says which. */
function sayIn(file: ApiFile, choice: number, targets: ReadonlySet<string>): Said {
  let left = choice
  const take = (below: number) => {
    const taken = left % below
    left = Math.floor(left / below) || choice
    return taken
  }
  const target = [...targets][choice % Math.max(1, targets.size)]
  const text = (name: string) => `${name} said in ${choice}`
  const values: Readonly<Record<Kind, (name: string) => unknown>> = {
    text,
    texts: (name) => [text(name), `${text(name)} again`],
    link: () => target && `/others/${target}`,
    part: () => say(file.part),
    parts: () => [say(file.part), say(file.part)],
  }
  const say = (declared: readonly Declared[]): Said =>
    Object.fromEntries(
      declared
        .filter(() => take(2) === 1)
        .map(({ name, kind }) => [name, values[kind](name)])
        .filter(([, value]) => value !== undefined),
    )
  return say(file.properties)
}

const sent = (said: Said): JsonObject =>
  readJson(JSON.stringify(said).replaceAll('"/others/', `"${BASE}/others/`)) as JsonObject

const isHeld = ({ members }: Model, target: string): boolean =>
  Object.values(members).some((all) => JSON.stringify([...all.values()]).includes(`"/others/${target}"`))

/** A new member, a change of one, or the removal of a target; the model learns of it. */
async function write(store: MemberStore, file: ApiFile, model: Model, choice: number): Promise<void> {
  const { className, properties } = file
  const cls = modelOf(textOf(file)).classes.find(({ name }) => name === className) as Class
  const input = createInput(cls, BASE)
  const all = model.members[className] ?? new Map<string, Said>()
  model.members[className] = all
  const known = [...all.keys()][choice % Math.max(1, all.size)]
  if (choice % 5 === 0 && file.hasTarget) {
    const target = TARGETS[choice % TARGETS.length] ?? ''
    const { outcome } = await store.remove('Other', target, undefined)
    assert.equal(
      outcome,
      !model.targets.has(target) ? 'missing' : isHeld(model, target) ? 'linked' : 'removed',
    )
    if (outcome === 'removed') model.targets.delete(target)
  } else if (choice % 2 === 0 || known === undefined) {
    const id = `m${choice}`
    const said = sayIn(file, choice, model.targets)
    const { outcome } = await store.add(className, input.create(sent(said), id, 0))
    assert.equal(outcome, all.has(id) ? 'exists' : 'added')
    if (outcome === 'added') all.set(id, said)
  } else {
    // Embedded values stay as they are: a patch of those says anew what is in them.
    const flat = properties.filter(({ kind }) => !kind.startsWith('part'))
    const said = sayIn({ ...file, properties: flat }, choice, model.targets)
    const gone = flat.filter(({ name }) => !Object.hasOwn(said, name) && name.endsWith('1'))
    const patch = { ...said, ...Object.fromEntries(gone.map(({ name }) => [name, null])) }
    const { outcome } = await store.change(className, known, undefined, (current) =>
      input.update(sent(patch), current, 0),
    )
    assert.equal(outcome, 'changed')
    const before = all.get(known) ?? {}
    for (const { name } of gone) delete before[name]
    Object.assign(before, said)
  }
}

const withoutTypes = (values: unknown): unknown =>
  JSON.parse(JSON.stringify(values), (key, one) => (key === '@type' ? undefined : one))

async function assertShown(store: MemberStore, file: ApiFile, { members }: Model): Promise<void> {
  for (const [id, said] of members[file.className] ?? []) {
    const found = await store.find(file.className, id)
    assert.ok(found, id)
    assert.deepEqual(withoutTypes(readText(found.body)), shownOf(said, file.properties, file.part), id)
  }
}

// contract: **Changing the API file** over data that exists
test('whatever API files follow each other, nothing is mixed and nothing lost, and every link holds', async (t) => {
  const onSqlite = newDatabase(t).startsWith('sqlite:')
  let [refusals, migrations] = [0, 0]

  async function live(all: readonly Step[]): Promise<void> {
    const db = newDatabase(t)
    // For bulk data a file has no thread that writes, whose start would take most of the time.
    const open = (file: ApiFile) => openStore(db, classSchemas(modelOf(textOf(file))), { bulk: onSqlite })
    let model: Model = { members: {}, targets: new Set(TARGETS) }
    let last = wholeFile('Thing')
    let store = await open(last)
    for (const id of TARGETS) {
      const other = modelOf(textOf(last)).classes.find(({ name }) => name === 'Other') as Class
      await store.members.add('Other', createInput(other, BASE).create(sent({ name: id }), id, 0))
    }
    for (const [index, { file, writes }] of [{ file: last, writes: [7, 12] }, ...all].entries()) {
      const choices = writes.map((choice) => choice * 8 + index)
      await store.close()
      const next = under(file, model)
      if (next === undefined) {
        refusals += 1
        await assert.rejects(open(file), (error) => isRefusal(error))
        const { incompatible } = await dryRun(db, classSchemas(modelOf(textOf(file)))).catch(
          (error: unknown) => ({
            incompatible: [isRefusal(error)],
          }),
        )
        assert.ok(incompatible.length > 0)
        store = await open(last)
      } else {
        migrations += 1
        assert.deepEqual((await dryRun(db, classSchemas(modelOf(textOf(file))))).incompatible, [])
        store = await open(file)
        model = next
        last = file
        for (const choice of choices) await write(store.members, file, model, choice)
      }
      await assertShown(store.members, last, model)
    }
    await store.close()
    // Nothing is hidden any more: all that was said is there.
    for (const className of ['Thing', 'Object']) {
      const file = wholeFile(className)
      store = await open(file)
      await assertShown(store.members, file, model)
      for (const target of model.targets) {
        const { outcome } = await store.members.remove('Other', target, undefined)
        assert.equal(outcome, isHeld(model, target) ? 'linked' : 'removed')
        if (outcome === 'removed') model.targets.delete(target)
      }
      await store.close()
    }
  }

  const runs = onSqlite ? inSoak(25, 5) : inSoak(5, 2)
  await fc.assert(fc.asyncProperty(steps, live), { numRuns: runs })
  if (onSqlite) assert.ok(refusals > 0 && migrations > runs, `${refusals} refused, ${migrations} migrated`)
})

/** Of a name that would stand for two properties, or for two classes. */
function isRefusal(error: unknown): true {
  const isNaming =
    error instanceof IncompatibleMembersError &&
    error.incompatible.some(({ violations }) => violations.some(({ code }) => code === 'BothNamesUsed'))
  const isClassTwice = error instanceof Problem && error.code === 'BothClassesStored'
  assert.ok(isNaming || isClassTwice, String(error))
  return true
}
