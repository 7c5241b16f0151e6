// The script of study.html: takes the data out of the file and puts charts and tables in place of the plain ones.

import type { Study } from '../model/generated/study';
import './study_report';
import type { TesseraStudyReport } from './study_report';

const read = (id: string): unknown => JSON.parse(document.getElementById(id)?.textContent ?? 'null');

function start(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const theme = (): void => {
    document.documentElement.dataset['theme'] = dark.matches ? 'dark' : 'light';
  };
  theme();
  dark.addEventListener('change', theme);
  const report = document.createElement('tessera-study-report') as TesseraStudyReport;
  report.data = { study: read('study-data') as Study, costs: (read('study-costs') ?? []) as readonly number[] };
  document.getElementById('study-tables')?.replaceWith(report);
}

start();
