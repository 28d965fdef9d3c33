import { inSoak } from '../support/soak.ts'
import { BEFORE_A_STORE, BY_EVERY_STORE, runOnPostgres } from '../support/together.ts'

const ABOUT_A_FILE = 'what it is about happens to the file of the embedded database, or to its lock'

runOnPostgres('threats', {
  'bodies.test.ts': BEFORE_A_STORE,
  'clock.test.ts': ABOUT_A_FILE,
  'cost.test.ts': BEFORE_A_STORE,
  'http.test.ts': BEFORE_A_STORE,
  'memory.test.ts': BEFORE_A_STORE,
  ...inSoak(
    {},
    {
      // What an include reads is counted by threats/cost and api/output/include-random.
      'include-cost.test.ts': BY_EVERY_STORE,
      // members/selection-random has the bytes of a page.
      'large-pages.test.ts': BY_EVERY_STORE,
    },
  ),
  'replaced-file.test.ts': ABOUT_A_FILE,
  'slow-clients.test.ts': BEFORE_A_STORE,
  'tls-connections.test.ts': BEFORE_A_STORE,
})
