import { runOnPostgres } from '../support/on-postgres.ts'

const BEFORE_A_STORE = 'what it is about happens before a store is asked'

runOnPostgres('threats', {
  'cost.test.ts': BEFORE_A_STORE,
  'http.test.ts': BEFORE_A_STORE,
  'memory.test.ts': BEFORE_A_STORE,
  'slow-clients.test.ts': BEFORE_A_STORE,
})
