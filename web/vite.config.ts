import { defineConfig } from 'vite';

import { docPages } from './scripts/doc_pages.mjs';
import { firstPictureIn } from './scripts/first_picture.mjs';
import { madeReports } from './scripts/made_reports.mjs';
import { studyPage } from './scripts/study_page.mjs';

// Relative addresses everywhere: the built page works from any folder of any static host.
export default defineConfig({
  base: './',
  plugins: [docPages(), madeReports(), studyPage(), firstPictureIn('index.html')],
  build: {
    target: 'es2022',
    // The parts of the first script are asked for with it; those of later ones are few.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, parts, { hostType }) => (hostType === 'html' ? parts : []),
    },
    assetsInlineLimit: 0, // data: scripts and styles would need a wider Content-Security-Policy
    chunkSizeWarningLimit: 600,
    reportCompressedSize: true,
    rollupOptions: { input: ['index.html', 'lab.html'] },
  },
  server: { fs: { allow: ['..'] } }, // the policy that the lab begins with: examples/policies
  worker: { format: 'es' },
});
