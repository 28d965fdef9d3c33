import type { ClassDescription, PropertyDescription } from 'hydrant-client'
import { kindOf } from '../../../shared/values.ts'

/**
 * The properties that can be set for several members at once. In a merge patch (RFC 7396) an embedded value or a text by
 * language would be merged with that of each member, which nobody could foresee; and a unique value fits only one.
 */
export const changeableProperties = (cls: ClassDescription | undefined): readonly PropertyDescription[] =>
  (cls?.properties ?? []).filter((property) => {
    const kind = kindOf(property)
    return property.writable && !property.constraints.unique && kind !== 'embedded' && kind !== 'languages'
  })
