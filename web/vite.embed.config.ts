import { defineConfig } from 'vite';

// What other pages take: dist/embed/, after the page's own build. Names of entries are fixed, for hosts refer to them.
export default defineConfig({
  base: './',
  publicDir: false,
  build: {
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: 0,
    outDir: 'dist/embed',
    emptyOutDir: true,
    reportCompressedSize: true,
    rollupOptions: {
      input: { 'tessera-report': 'src/report/report_single.ts' },
      preserveEntrySignatures: 'strict',
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'parts/[name]-[hash].js',
        assetFileNames: 'parts/[name]-[hash][extname]',
      },
    },
  },
  worker: { format: 'es' },
});
