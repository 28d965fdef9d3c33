// Writes that the user cannot tell from others, to one of two databases or to both.
import assert from 'node:assert/strict'
import { linksIn, type PeopleState, type Sight } from '../query/people-sight.ts'
import { anyPeopleValues, withSameTies } from '../query/random-people.ts'
import {
  addressesOf,
  type Choose,
  CLASSES,
  chooser,
  LISTED,
  type ShelfMember,
  type ShelfValues,
} from '../query/random-shelf.ts'
import { add, declaredOf, KEEPER, type PeopleSide, patch, remember, replace } from './people-side.ts'

const withMember = (state: PeopleState, one: ShelfMember): PeopleState =>
  new Map([...state, [one.address, one]])

const withoutNulls = (values: ShelfValues): ShelfValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))

const chosen = <T>(choose: Choose, all: readonly T[]): T | undefined =>
  all.length === 0 ? undefined : choose(...(all as unknown as [T, ...T[]]))

type Sides = readonly [left: PeopleSide, right: PeopleSide]

/** The state with other values in the place of those that the user does not see; undefined if the user would notice. */
function varied(sight: Sight, side: PeopleSide, one: ShelfMember, choose: Choose): PeopleState | undefined {
  const { state } = side
  const { className } = one
  const proposed = anyPeopleValues(choose, className)
  const hidden = sight.isReadable(state, one)
    ? sight.hiddenIn(state, one)
    : Object.keys({ ...one.values, ...proposed })
  const secret = Object.fromEntries(hidden.map((name) => [name, proposed[name] ?? null]))
  const values = withSameTies(className, one.values, withoutNulls({ ...one.values, ...secret }))
  const next = withMember(state, { ...one, values: declaredOf(side, className, values) })
  return sight.sightOf(next, side.past) === sight.sightOf(state, side.past) ? next : undefined
}

async function addHidden(sight: Sight, side: PeopleSide, choose: Choose): Promise<void> {
  const className = choose(...LISTED)
  const address = `${CLASSES[className]?.collection}/x${choose(0, 1, 2)}`
  if (side.state.has(address)) return
  const values = declaredOf(side, className, withSameTies(className, {}, anyPeopleValues(choose, className)))
  const isLinked = linksIn(className, values).every((to) => side.state.has(to))
  const one: ShelfMember = { className, address, owner: 2, values: isLinked ? values : {} }
  const next = withMember(side.state, one)
  if (sight.sightOf(next, side.past) !== sight.sightOf(side.state, side.past)) return
  // Where the shelf is being filled, a link may lead to what comes later.
  if ((await add(side, one)).status !== 201) return
  side.state = next
  await remember(side, address)
}

/** Fills both with members that the user cannot tell apart, and one of them with more. */
export async function fillSides(sight: Sight, sides: Sides, numbers: readonly number[]): Promise<void> {
  const choose = chooser(numbers)
  const members = (['Country', 'Author', 'Book'] as const).flatMap((className) =>
    addressesOf(className).map(
      (address): ShelfMember => ({
        ...{ className, address, owner: choose(1, 2, 2) },
        values: anyPeopleValues(choose, className),
      }),
    ),
  )
  for (const [index, side] of sides.entries()) {
    const choosing = chooser(index === 0 ? numbers.toReversed() : numbers.toSorted())
    const all = members.map((one) => ({ ...one, values: declaredOf(side, one.className, one.values) }))
    side.state = new Map(all.map((one) => [one.address, one]))
    for (const one of all) side.state = varied(sight, side, one, choosing) ?? side.state
    const varieties = [...side.state.values()]
    for (const { values, ...one } of varieties) {
      if (index === 1 && choosing(true, false, false)) await addHidden(sight, side, choosing)
      const { agent, ...rest } = values
      const { status, text } = await add(side, { ...one, values: rest })
      assert.equal(status, 201, text)
    }
    // Links to members that come later are written last.
    for (const one of varieties)
      if (one.values.agent !== undefined)
        assert.equal((await patch(side, one, { agent: one.values.agent })).status, 200)
    for (const { address } of varieties) await remember(side, address)
  }
}

/** Hidden members come, change and go. */
async function writeHidden(sight: Sight, side: PeopleSide, choose: Choose): Promise<void> {
  const act = choose('change', 'change', 'add', 'remove', 'nothing')
  if (act === 'add') return addHidden(sight, side, choose)
  const hidden = [...side.state.values()].filter((one) => !sight.isReadable(side.state, one))
  const one = chosen(choose, hidden)
  if (one === undefined) return
  if (act === 'change') {
    const next = varied(sight, side, one, choose)
    const changed = next?.get(one.address)
    if (!next || !changed || (await replace(side, changed)).status !== 200) return
    side.state = next
    await remember(side, one.address)
  }
  if (act !== 'remove' || !/\/x\d$/.test(one.address)) return
  const next = new Map([...side.state].filter(([address]) => address !== one.address))
  // The user may see what is gone as it was last, and what it links to may have changed since.
  if (sight.sightOf(next, side.past) !== sight.sightOf(side.state, side.past)) return
  const { status } = await side.app.send({ method: 'DELETE', path: `/${one.address}` }, KEEPER)
  if (status !== 204) return
  side.state = next
  await remember(side, one.address)
}

/** Hidden values of a member that the user sees: as often in both, since the user sees that its version has changed. */
async function writeSecrets(sight: Sight, sides: Sides, numbers: readonly number[]): Promise<void> {
  const [{ state }, right] = sides
  const seen = [...state.values()].filter(
    (one) => sight.isReadable(state, one) && sight.hiddenIn(state, one).length > 0,
  )
  const one = chosen(chooser(numbers), seen)
  if (one === undefined || !right.state.has(one.address)) return
  const hidden = sight.hiddenIn(state, one)
  const nexts = sides.map((side, index) => {
    const choose = chooser(index === 0 ? numbers.toReversed() : numbers.toSorted())
    return varied(sight, side, side.state.get(one.address) as ShelfMember, choose)
  })
  for (const [index, side] of sides.entries()) {
    const next = nexts[index]
    if (nexts.includes(undefined) || next === undefined) return
    const { values = {} } = next.get(one.address) ?? {}
    const secret = Object.fromEntries(hidden.map((name) => [name, values[name] ?? null]))
    const { status, text } = await patch(side, one, declaredOf(side, one.className, secret))
    assert.equal(status, 200, text)
    side.state = next
    await remember(side, one.address)
  }
}

/** The same change in both, after which the user may see more or less. */
async function writeBoth(sight: Sight, sides: Sides, numbers: readonly number[]): Promise<void> {
  const choose = chooser(numbers)
  const one = chosen(choose, [...sides[0].state.values()])
  if (one === undefined || !sides[1].state.has(one.address)) return
  const { className, address } = one
  const declared = declaredOf(sides[1], className, anyPeopleValues(choose, className))
  const values = Object.fromEntries(Object.entries(declared).filter(() => choose(true, false)))
  const nexts = sides.map(({ state }) => {
    const present = state.get(address) as ShelfMember
    return withMember(state, { ...present, values: { ...present.values, ...values } })
  })
  const [here, there] = sides.map(({ past }, index) => sight.sightOf(nexts[index] as PeopleState, past))
  if (here !== there) return
  if (!linksIn(className, values).every((to) => nexts.every((next) => next.has(to)))) return
  for (const [index, side] of sides.entries()) {
    const { status, text } = await patch(side, one, values)
    assert.equal(status, 200, text)
    side.state = nexts[index] as PeopleState
    await remember(side, address)
  }
}

/** What others write before the user asks. */
export async function writeByOthers(sight: Sight, sides: Sides, numbers: readonly number[]): Promise<void> {
  await writeHidden(sight, sides[0], chooser(numbers.toReversed()))
  await writeHidden(sight, sides[1], chooser(numbers.toSorted()))
  const choose = chooser(numbers)
  if (choose(true, false)) await writeSecrets(sight, sides, numbers.slice(20))
  if (choose(true, false, false)) await writeBoth(sight, sides, numbers.slice(40))
}
