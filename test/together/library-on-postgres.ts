import { BEFORE_A_STORE, runOnPostgres } from '../support/together.ts'

runOnPostgres('library', {
  'define.test.ts': BEFORE_A_STORE,
  'hydrant.test.ts': BEFORE_A_STORE,
  'problems.test.ts': BEFORE_A_STORE,
  'requests-mounts.test.ts': BEFORE_A_STORE,
  'requests-readers.test.ts': BEFORE_A_STORE,
})
