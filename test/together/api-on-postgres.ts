import { AFTER_A_STORE, BEFORE_A_STORE, runOnPostgres } from '../support/together.ts'

runOnPostgres('api', {
  'accept.test.ts': AFTER_A_STORE,
  'contexts.test.ts': BEFORE_A_STORE,
  'conversion-moves.test.ts': BEFORE_A_STORE,
  'conversion.test.ts': AFTER_A_STORE,
  'cursors.test.ts': BEFORE_A_STORE,
  'documentation.test.ts': BEFORE_A_STORE,
  'entry-point.test.ts': BEFORE_A_STORE,
  'expansion-names.test.ts': AFTER_A_STORE,
  'expansion-values.test.ts': AFTER_A_STORE,
  'expansion.test.ts': AFTER_A_STORE,
  'json-ld-safety.test.ts': BEFORE_A_STORE,
  'json-ld.test.ts': BEFORE_A_STORE,
  'malformed.test.ts': BEFORE_A_STORE,
  'problem.test.ts': AFTER_A_STORE,
  'query-errors.test.ts': BEFORE_A_STORE,
  'query.test.ts': BEFORE_A_STORE,
  'rdf-formats.test.ts': AFTER_A_STORE,
  'search-template.test.ts': AFTER_A_STORE,
  'violations.test.ts': BEFORE_A_STORE,
})
