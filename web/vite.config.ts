import { defineConfig } from 'vite';

import { docPages } from './scripts/doc_pages.mjs';
import { madeReports } from './scripts/made_reports.mjs';
import { studyPage } from './scripts/study_page.mjs';

// Relative addresses everywhere: the built page works from any folder of any static host.
export default defineConfig({
  base: './',
  plugins: [docPages(), madeReports(), studyPage()],
  build: {
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: 0, // data: scripts and styles would need a wider Content-Security-Policy
    chunkSizeWarningLimit: 600,
    reportCompressedSize: true,
    rollupOptions: { input: ['index.html', 'lab.html'] },
  },
  server: { fs: { allow: ['..'] } }, // the policy that the lab begins with: examples/policies
  worker: { format: 'es' },
});
