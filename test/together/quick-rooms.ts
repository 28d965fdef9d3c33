import '../fair-queue.test.ts'
import '../folding.test.ts'
import '../json.test.ts'
import '../locks.test.ts'
import '../seal.test.ts'
import '../text.test.ts'
import { runQuick } from '../support/together.ts'

runQuick(['vocabulary', 'http', 'contract'])
