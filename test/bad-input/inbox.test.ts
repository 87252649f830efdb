import { testBadInput } from '../harness/bad-input.ts'

testBadInput('inbox')
