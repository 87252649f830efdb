import { testOwnAndForeign } from '../harness/own-and-foreign.ts'

testOwnAndForeign('main-numbers')
