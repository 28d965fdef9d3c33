import { isDeepStrictEqual } from 'node:util'
import { classSchemas } from '../../members/conversion/conversion.ts'
import { type BrokenConstraint, FIRST_MEMBER } from '../../members/index.ts'
import type { Store } from '../../store/index.ts'
import { dryRun } from '../../store/open.ts'
import { type Class, type Model, storedClasses } from '../../vocabulary/index.ts'
import { describeBroken } from '../broken.ts'

/** Reading more of them would hold up requests; `hydrant check` reads all. */
const MOST_READ = 10_000

interface Applied {
  readonly former: Model
  readonly model: Model
  readonly store: Store
  readonly db: string
}

/** The constraints of changed properties that stored members break, in the sentences of `hydrant check`. */
export async function describeNewlyBroken({ former, model, store, db }: Applied): Promise<string[]> {
  const before = new Map(former.classes.map((cls) => [cls.name, cls]))
  const changed = new Set(model.classes.flatMap((cls) => changedProperties(before.get(cls.name), cls)))
  if (changed.size === 0 || (await countMembers(model, store)) > MOST_READ) return []
  const { broken } = await dryRun(db, classSchemas(model))
  const isChanged = ({ className, violation }: BrokenConstraint) => {
    const [property = ''] = (violation.at.property ?? '').split('/', 1)
    return changed.has(placeOf(className, property))
  }
  return broken.filter(isChanged).map((one) => describeBroken(one, model))
}

const placeOf = (className: string, property: string): string => `${className}.${property}`

function changedProperties(former: Class | undefined, { name, properties }: Class): string[] {
  const before = new Map(former?.properties.map((one) => [one.name, one]))
  return properties
    .filter((one) => !isDeepStrictEqual(before.get(one.name), one))
    .map((one) => placeOf(name, one.name))
}

async function countMembers(model: Model, { members }: Store): Promise<number> {
  let total = 0
  for (const { name } of storedClasses(model)) total += (await members.list(name, FIRST_MEMBER)).total ?? 0
  return total
}
