import { inSoak } from '../support/soak.ts'
import { AFTER_A_STORE, BEFORE_A_STORE, BY_EVERY_STORE, runOnPostgres } from '../support/together.ts'

const ABOUT_A_FILE = 'what it is about happens to the file of the embedded database, or to its lock'

// Five rooms in one process: each of its own would load the same modules, for longer than most of the files take.

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

runOnPostgres('clients', {
  'alcaeus.test.ts': AFTER_A_STORE,
  'scripts-clients.test.ts': AFTER_A_STORE,
  'api-doc-parser.test.ts': AFTER_A_STORE,
  'api-platform-admin.test.ts': AFTER_A_STORE,
  'comunica.test.ts': AFTER_A_STORE,
  'curl.test.ts': AFTER_A_STORE,
  'jsonld.test.ts': AFTER_A_STORE,
})

runOnPostgres('library', {
  'define.test.ts': BEFORE_A_STORE,
  'hydrant.test.ts': BEFORE_A_STORE,
  'problems.test.ts': BEFORE_A_STORE,
  'requests-mounts.test.ts': BEFORE_A_STORE,
  'requests-readers.test.ts': BEFORE_A_STORE,
  // api/followers/runner-hosts.
  ...inSoak({}, { 'hydrant-followers.test.ts': BY_EVERY_STORE, 'hydrant-webhooks.test.ts': BY_EVERY_STORE }),
})

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
