import { AFTER_A_STORE, runOnPostgres } from '../support/together.ts'

runOnPostgres('clients', {
  'alcaeus.test.ts': AFTER_A_STORE,
  'scripts-clients.test.ts': AFTER_A_STORE,
  'api-doc-parser.test.ts': AFTER_A_STORE,
  'api-platform-admin.test.ts': AFTER_A_STORE,
  'comunica.test.ts': AFTER_A_STORE,
  'curl.test.ts': AFTER_A_STORE,
  'jsonld.test.ts': AFTER_A_STORE,
})
