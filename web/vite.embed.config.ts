import { readFileSync } from 'node:fs';

import { defineConfig } from 'vite';

import { bundledPackages } from './scripts/bundled_packages.mjs';
import { choices } from './scripts/made_reports.mjs';

// The element's types, beside its script.
const types = {
  name: 'types',
  generateBundle(this: { emitFile: (file: { type: 'asset'; fileName: string; source: string }) => void }): void {
    const api = readFileSync(new URL('src/embed/api.ts', import.meta.url), 'utf8');
    const source = `${api}\nexport declare function setEngineBase(address: string): void;\n`;
    this.emitFile({ type: 'asset', fileName: 'tessera-playground.d.ts', source });
  },
};

// What other pages take: dist/embed/, after the page's own build. Names of entries are fixed, for hosts refer to them.
export default defineConfig({
  base: './',
  publicDir: false,
  plugins: [types, bundledPackages()],
  define: { __TESSERA_CHOICES__: JSON.stringify(await choices()) },
  build: {
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: 0,
    outDir: 'dist/embed',
    emptyOutDir: true,
    reportCompressedSize: true,
    rollupOptions: {
      input: {
        'tessera-report': 'src/report/report_single.ts',
        'tessera-playground': 'src/embed/tessera_playground.ts',
        frame: 'frame.html',
      },
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
