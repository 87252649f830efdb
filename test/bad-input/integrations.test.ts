import { testBadInput } from '../harness/bad-input.ts'

testBadInput('integrations')
