import { BEFORE_A_STORE, runOnPostgres } from '../support/together.ts'

runOnPostgres('library', { 'library.test.ts': BEFORE_A_STORE })
