import { inSoak } from '../support/soak.ts'
import { BEFORE_A_STORE, BY_EVERY_STORE, runOnPostgres } from '../support/together.ts'

runOnPostgres('library', {
  'define.test.ts': BEFORE_A_STORE,
  'hydrant.test.ts': BEFORE_A_STORE,
  'problems.test.ts': BEFORE_A_STORE,
  'requests-mounts.test.ts': BEFORE_A_STORE,
  'requests-readers.test.ts': BEFORE_A_STORE,
  // api/followers/runner-hosts.
  ...inSoak({}, { 'hydrant-followers.test.ts': BY_EVERY_STORE, 'hydrant-webhooks.test.ts': BY_EVERY_STORE }),
})
