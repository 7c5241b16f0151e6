import type { Catalog, Report } from '../../src/model/report';
import { catalog as made, fabricateReport } from '../fixtures/fabricate.mjs';

export const catalog = made as unknown as Catalog;
export function report(settings: { blocks?: number; policy?: string; cap?: number } = {}): Report {
  return fabricateReport(settings) as unknown as Report;
}
