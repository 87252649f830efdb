import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['test/demo-sounds/demo-sounds.ts'], testTimeout: 600_000 },
})
