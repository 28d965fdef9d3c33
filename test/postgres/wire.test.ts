import { BEFORE_A_STORE, runOnPostgres } from '../support/on-postgres.ts'

runOnPostgres('wire', {
  'before-the-gate.test.ts': BEFORE_A_STORE,
  'bodies.test.ts': BEFORE_A_STORE,
  'broken-bodies.test.ts': BEFORE_A_STORE,
  'framing.test.ts': BEFORE_A_STORE,
  'preflight.test.ts': BEFORE_A_STORE,
})
