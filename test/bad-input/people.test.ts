import { testBadInput } from '../harness/routes/bad-input.ts'

testBadInput('people')
