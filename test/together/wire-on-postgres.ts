import { inSoak } from '../support/soak.ts'
import { AFTER_A_STORE, BEFORE_A_STORE, BY_EVERY_STORE, runOnPostgres } from '../support/together.ts'

runOnPostgres('wire', {
  'before-the-gate.test.ts': BEFORE_A_STORE,
  'bodies.test.ts': BEFORE_A_STORE,
  'broken-bodies.test.ts': BEFORE_A_STORE,
  'caching-and-base.test.ts': AFTER_A_STORE,
  'framing.test.ts': BEFORE_A_STORE,
  'half-closed.test.ts': BEFORE_A_STORE,
  'headers.test.ts': AFTER_A_STORE,
  'preflight.test.ts': BEFORE_A_STORE,
  // That a request sees what the one before it has done: api/collection-pages.
  ...inSoak({}, { 'pipelining.test.ts': BY_EVERY_STORE }),
  ...inSoak({}, { 'caches.test.ts': AFTER_A_STORE }),
})
