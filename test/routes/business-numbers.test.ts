import { testOwnAndForeign } from '../harness/routes/own-and-foreign.ts'

testOwnAndForeign('business-numbers')
