import { inSoak } from '../support/soak.ts'
import { runWithAnyone } from '../support/together.ts'

// The procedure of seed.md on a file that opens something to anyone: all that is not open stays as it is, to the byte.

const NO_API = 'it serves no API file'
const WITHIN_STEP_B = 'credentials have led it to the gate, which does not know what is open to anyone'
const WITH_A_TOKEN = 'a token has led it to the gate, as credentials do'

runWithAnyone('auth', {
  'gate.test.ts': NO_API,
  'hashing.test.ts': NO_API,
  'middleware-opening.test.ts': NO_API,
  'middleware-web.test.ts': NO_API,
  'node-http.test.ts': NO_API,
  'open-gate.test.ts': NO_API,
  'rules.test.ts': NO_API,
  store: NO_API,
  ...inSoak(
    {},
    {
      'credentials.test.ts': WITHIN_STEP_B,
      'credentials-names.test.ts': WITHIN_STEP_B,
      'credentials-paraphrase.test.ts': WITHIN_STEP_B,
      'gate-flood.test.ts': WITHIN_STEP_B,
      'nonce.test.ts': WITHIN_STEP_B,
      'nonce-race.test.ts': WITHIN_STEP_B,
      'own-paraphrase.test.ts': WITHIN_STEP_B,
      'throttle-addresses.test.ts': WITHIN_STEP_B,
      'throttle.test.ts': WITHIN_STEP_B,
      'token-clock.test.ts': WITHIN_STEP_B,
      'token-end.test.ts': WITH_A_TOKEN,
      'token.test.ts': WITH_A_TOKEN,
    },
  ),
})

const BEFORE_THE_GATE = 'it is refused before anything is opened to anyone'

runWithAnyone('wire', {
  'caches.test.ts': 'it has a file with the word of its own',
  ...inSoak(
    {},
    {
      'before-the-gate.test.ts': BEFORE_THE_GATE,
      'bodies.test.ts': WITHIN_STEP_B,
      'broken-bodies.test.ts': BEFORE_THE_GATE,
      'framing.test.ts': BEFORE_THE_GATE,
      'half-closed.test.ts': BEFORE_THE_GATE,
      'pipelining.test.ts': WITHIN_STEP_B,
      'shutdown.test.ts': 'it is about connections',
    },
  ),
})
