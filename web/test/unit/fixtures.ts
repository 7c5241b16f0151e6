import type { Report, Run } from '../../src/model/report';
import { fabricateReport } from '../fixtures/fabricate.mjs';

export { catalog } from '../fixtures/fabricate.mjs';
export function report(settings: { blocks?: number; policy?: string; cap?: number } = {}): Report & { run: Run } {
  return fabricateReport(settings);
}
