import { inSoak } from '../support/soak.ts'
import { BEFORE_A_STORE, BY_EVERY_STORE, runOnPostgres } from '../support/together.ts'

runOnPostgres('auth', {
  'credentials-paraphrase.test.ts': BEFORE_A_STORE,
  'credentials.test.ts': BEFORE_A_STORE,
  'gate-flood.test.ts': BEFORE_A_STORE,
  'gate-refused-headers.test.ts': BEFORE_A_STORE,
  'gate-steps.test.ts': BEFORE_A_STORE,
  'gate.test.ts': 'it has a store of its own, in memory',
  'hashing.test.ts': BEFORE_A_STORE,
  'node-http.test.ts': BEFORE_A_STORE,
  'nonce-form.test.ts': BEFORE_A_STORE,
  'rules.test.ts': BEFORE_A_STORE,
  store: 'it is about every store already',
  'throttle-addresses.test.ts': BEFORE_A_STORE,
  // auth/store, and hosts/throttle.
  ...inSoak(
    {},
    {
      'credentials-names.test.ts': BY_EVERY_STORE,
      'gate-modes.test.ts': BY_EVERY_STORE,
      'gate-refused-claims.test.ts': BY_EVERY_STORE,
      'middleware-web.test.ts': BY_EVERY_STORE,
      // hosts/nonce and hosts/load.
      'nonce-race.test.ts': BY_EVERY_STORE,
      'nonce.test.ts': BY_EVERY_STORE,
      'own-paraphrase.test.ts': BY_EVERY_STORE,
      'throttle.test.ts': BY_EVERY_STORE,
      // hosts/token and hosts/token-races.
      'token-end.test.ts': BY_EVERY_STORE,
      // hosts/clock*.
      'token-clock.test.ts': BY_EVERY_STORE,
    },
  ),
})
