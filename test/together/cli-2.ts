import { runTogether } from '../support/together.ts'

runTogether('cli', 2, 2)
