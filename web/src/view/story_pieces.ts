// What sentences about a run are made of. Pure.

import type { Run } from '../model/report';
import { rowTitle } from './names';

// A name leads to its row, a rule to its place in the documents beside the page.
export type Piece =
  string | { readonly row: number; readonly text: string } | { readonly doc: string; readonly text: string };
export type Sentence = readonly Piece[];

export const rule = (doc: string): Piece[] => [' ', { doc, text: 'Rule' }];

export const link = (run: Run, at: number): Piece => ({ row: at, text: rowTitle(run, run.rows[at]!) });
