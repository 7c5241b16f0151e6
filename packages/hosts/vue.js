// The same in Vue, as a template that the page compiles.
import { createApp, ref } from 'vue/dist/vue.esm-bundler.js';
import 'tessera-playground';

const app = createApp({
  setup() {
    const told = ref('nothing');
    const tell = ({ detail: { report } }) =>
      (told.value = `${report.options.policy} ${report.options['tensor-l1-usage-cap']}`);
    return { policy: ref('DRAM'), options: { 'tensor-l1-usage-cap': 0.5 }, told, tell };
  },
  template: `
    <button @click="policy = 'Greedy'">Greedy</button>
    <output>{{ told }}</output>
    <tessera-playground src="mlp.mlir" height="auto" :policy="policy" :options="options" @tessera-run="tell" />`,
});
app.config.compilerOptions.isCustomElement = (tag) => tag.startsWith('tessera-');
app.mount('#host');
