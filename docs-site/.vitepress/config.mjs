// Pages without scripts of their own: what runs is the embedded playground.
import { defineConfig } from 'vitepress';

export default defineConfig({
  title: 'Tessera',
  description: 'How memory layouts of TTNN graphs are chosen, with runs to look at',
  lang: 'en',
  srcDir: 'pages',
  outDir: '../web/dist/guide',
  cacheDir: '../build/docs-site',
  mpa: true,
  appearance: false,
  // Pages beside the guide; finish.mjs checks that they are there.
  ignoreDeadLinks: [/^\.\.?\/\.\.\//, /^\.\/\.\.\//],
  head: [
    ['link', { rel: 'icon', href: '../icon.svg', type: 'image/svg+xml' }],
    ['script', { type: 'module', src: '../embed/tessera-playground.js' }],
  ],
  // `pages` is a link to docs/guide, where nothing is installed.
  vite: { resolve: { preserveSymlinks: true } },
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('tessera-') } } },
});
