// The first picture of the page: the schedule of the first sample as markup in index.html, from the report that the
// engine gives (made_reports.mjs), and what is loaded ahead for the picture that takes its place.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

import { kEngine, loadEngine, samples, textOf } from './made_reports.mjs';

const kSource = join(dirname(fileURLToPath(import.meta.url)), '..', 'src', 'app', 'first_picture.ts');

export async function firstPicture() {
  const [sample] = samples;
  const engine = await loadEngine();
  const { module } = await runnerImport(kSource, { configFile: false, logLevel: 'error' });
  return module.firstPicture(engine.run(textOf(sample), '{}'), sample.title);
}

// For vite.config.ts. A build without the engine has none.
export function firstPictureIn(page) {
  return {
    name: 'first-picture',
    apply: 'build',
    async transformIndexHtml(html, { path }) {
      if (path !== `/${page}` || !existsSync(join(kEngine, 'tessera.wasm'))) return html;
      const [{ id, file }] = samples;
      return html
        .replace('data-ahead=""', `data-ahead="samples/${id}.report.json samples/${file}"`)
        .replace('<tessera-app></tessera-app>', `<tessera-app>${await firstPicture()}</tessera-app>`);
    },
  };
}
