// Pages of three frameworks with the element, as one project.
import { compile } from 'svelte/compiler';

const svelte = {
  name: 'svelte',
  transform(code, id) {
    if (!id.endsWith('.svelte')) return null;
    return compile(code, { filename: id, generate: 'client' }).js;
  },
};

export default {
  base: './',
  plugins: [svelte],
  define: {
    __VUE_OPTIONS_API__: 'false',
    __VUE_PROD_DEVTOOLS__: 'false',
    __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
  },
  build: { rollupOptions: { input: ['react.html', 'vue.html', 'svelte.html'] } },
};
