import { BEFORE_A_STORE, runOnPostgres } from '../support/together.ts'

runOnPostgres('auth', {
  'addresses.test.ts': BEFORE_A_STORE,
  'credentials.test.ts': BEFORE_A_STORE,
  'flood.test.ts': BEFORE_A_STORE,
  'gate.test.ts': 'it has a store of its own, in memory',
  'hashing.test.ts': BEFORE_A_STORE,
  'nonce-form.test.ts': BEFORE_A_STORE,
  'paraphrase.test.ts': BEFORE_A_STORE,
  'refusals.test.ts': BEFORE_A_STORE,
  'steps.test.ts': BEFORE_A_STORE,
  store: 'it is about every store already',
  'throttled-addresses.test.ts': BEFORE_A_STORE,
})
