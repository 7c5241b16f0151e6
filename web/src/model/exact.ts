// What policy Exact proved, and what the optimum would have done op by op. Times and regrets are nanoseconds.

export type { ExactResult } from './generated/exact';
export type { OpRegrets, RegretAnswer as RegretResult } from './generated/regret';

// What came of checking the certificate of a run; times are nanoseconds.
export type CertificateCheck =
  | { readonly kind: 'checking' }
  | { readonly kind: 'none'; readonly reason: string } // there is no certificate
  | {
      readonly kind: 'checked';
      readonly valid: boolean;
      readonly reason: string;
      readonly cost: number;
      readonly lowerBound: number;
    };
