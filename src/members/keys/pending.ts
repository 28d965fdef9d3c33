import { defaultName } from '../../vocabulary/index.ts'
import { namesInKey } from '../../vocabulary/keys.ts'
import { type ClassSchema, placeAt } from '../class-schema.ts'
import type { Form, KeySlot } from '../layout.ts'

/** Whether members cannot be found by a key yet, or by words if there is no property: it is being computed for some of them. */
export type IsKeyPending = (property: string | undefined) => boolean

/**
 * For the hosts with this form: others have no default for a property that they share, and find members by the values
 * that are stored.
 */
export function createIsKeyPending(
  { name: className, types, searched }: ClassSchema,
  slots: readonly KeySlot[],
  own: Form | undefined,
): IsKeyPending {
  const unfilled = new Set(own?.unfilled)
  const isUnfilled = (path: string) => {
    const place = unfilled.size === 0 ? undefined : placeAt(types, className, path)
    return place !== undefined && unfilled.has(defaultName(place.owner, place.name))
  }
  const areWordsPending =
    own?.isSearchPending === true || searched.some((name) => isUnfilled(name.replace('*', '')))
  const pending = new Set(
    slots.flatMap(({ property, isPending, isForeign }) =>
      isPending || (!isForeign && namesInKey({ property }).some(isUnfilled)) ? property : [],
    ),
  )
  return (property) => (property === undefined ? areWordsPending : pending.has(property))
}
