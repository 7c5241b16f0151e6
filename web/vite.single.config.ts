import { defineConfig } from 'vite';

// The report element as one classic script, dist/embed/tessera-report.single.js: for files that hold all they need.
export default defineConfig({
  base: './',
  publicDir: false,
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    outDir: 'dist/embed',
    emptyOutDir: false,
    lib: {
      entry: 'src/report/report_single.ts',
      formats: ['iife'],
      name: 'TesseraReport',
      fileName: () => 'tessera-report.single.js',
    },
    rollupOptions: { output: { inlineDynamicImports: true } },
  },
});
