import { AFTER_A_STORE, BEFORE_A_STORE, runOnPostgres } from '../support/together.ts'

runOnPostgres('api', {
  'access-offers.test.ts': AFTER_A_STORE,
  'batch/limits.test.ts': BEFORE_A_STORE,
  'batch/turns.test.ts': BEFORE_A_STORE,
  'custom-operation.test.ts': AFTER_A_STORE,
  'contexts-graphs.test.ts': AFTER_A_STORE,
  'contexts-names.test.ts': AFTER_A_STORE,
  'contexts.test.ts': BEFORE_A_STORE,
  'entry-point.test.ts': BEFORE_A_STORE,
  'input/input.test.ts': BEFORE_A_STORE,
  'input/input-random.test.ts': BEFORE_A_STORE,
  'input/json-ld-random.test.ts': BEFORE_A_STORE,
  'input/expansion.test.ts': BEFORE_A_STORE,
  'input/json-ld.test.ts': BEFORE_A_STORE,
  'input/validate.test.ts': BEFORE_A_STORE,
  openapi: AFTER_A_STORE,
  // include-random compares the same on both stores.
  'output/include.test.ts': AFTER_A_STORE,
  'output/include-collections-names.test.ts': AFTER_A_STORE,
  'output/member.test.ts': AFTER_A_STORE,
  'output/rdf': AFTER_A_STORE,
  problems: AFTER_A_STORE,
  'query/explain.test.ts': BEFORE_A_STORE,
  'query/paging-cursors.test.ts': BEFORE_A_STORE,
  'output/page-search.test.ts': AFTER_A_STORE,
  'query/query.test.ts': BEFORE_A_STORE,
  'resources-documentation-shapes.test.ts': BEFORE_A_STORE,
  'resources-documentation.test.ts': BEFORE_A_STORE,
  'respond-accept.test.ts': AFTER_A_STORE,
  'respond-compression.test.ts': AFTER_A_STORE,
})
// What is served when an API file changes over data.
runOnPostgres('members/migration/served')
