import { testTenantIsolation } from '../harness/routes/tenant-isolation.ts'

testTenantIsolation('calls')
