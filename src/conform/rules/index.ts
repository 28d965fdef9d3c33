import { COLLECTION_RULES } from './collections.ts'
import { DOCUMENTATION_RULES } from './documentation.ts'
import { ERROR_RULES } from './errors.ts'
import { OPERATION_RULES } from './operations.ts'
import { PAGING_RULES } from './paging.ts'
import { PROPERTY_RULES } from './properties.ts'
import { SEARCH_RULES } from './search.ts'
import { VOCABULARY_RULES } from './vocabulary.ts'

/** All rules by their codes, in the order in which a reader would go through an API. */
export const RULES = {
  ...VOCABULARY_RULES,
  ...DOCUMENTATION_RULES,
  ...OPERATION_RULES,
  ...PROPERTY_RULES,
  ...COLLECTION_RULES,
  ...PAGING_RULES,
  ...SEARCH_RULES,
  ...ERROR_RULES,
}
