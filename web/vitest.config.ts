import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.{ts,mjs}', 'test/answers/**/*.test.mjs'],
    environment: 'node',
    css: true, // colours are tested
    maxWorkers: 2,
    testTimeout: 30_000,
  },
});
