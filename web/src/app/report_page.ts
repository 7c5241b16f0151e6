// Runs as one file that opens from disk: the template of the build (scripts/report_page.mjs), filled in as by
// `tessera run --html`.

import type { Report } from '../model/report';
import { writeReport } from '../model/wire';

const escapes: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };
const htmlText = (text: string): string => text.replace(/[<>&"]/g, (sign) => escapes[sign]!);

// The first run is the one that is shown. All places are found before anything is put in.
export function fillReportPage(template: string, name: string, reports: readonly Report[]): string {
  const data = `{"schema":2,"name":${JSON.stringify(name)},"runs":[${reports.map(writeReport).join(',')}]}`;
  const texts: Readonly<Record<string, string>> = {
    TITLE: htmlText(`${name} · Tessera`),
    NAME: htmlText(name),
    TEXT: htmlText(reports.flatMap(({ run }) => (run === null ? [] : [run.plan])).join('\n')),
    DATA: data.replaceAll('<', '\\u003c'), // nothing may end the script element
  };
  return template.replace(/\{\{REPORT_(\w+)\}\}/g, (place, which: string) => texts[which] ?? place);
}

export async function reportPage(name: string, reports: readonly Report[]): Promise<string | null> {
  const response = await fetch('./report.html').catch(() => null);
  return response?.ok === true ? fillReportPage(await response.text(), name, reports) : null;
}
