// Catalog: made from docs/schema/catalog.schema.json by `npm run generate`.

import type { DeviceInfo, Severity } from './common';

/** An option of a run. */
export interface OptionInfo {
  /** The compiler's name: "max-legal-layouts". */
  readonly id: string;
  /** For people. */
  readonly title: string;
  /** One or two sentences. */
  readonly help: string;
  /** What values it takes. */
  readonly type: 'choice' | 'integer' | 'number' | 'boolean' | 'text';
  /** Its value when it is not given. */
  readonly default: string | number | boolean;
  /** Of integer and number. [the option's own] */
  readonly min: number;
  /** Of integer and number. [the option's own] */
  readonly max: number;
  /** Of a slider. [the option's own] */
  readonly step: number;
  /** Values of a choice; else empty. */
  readonly choices: readonly {
    /** The value. */
    readonly id: string;
    /** For people. */
    readonly title: string;
  }[];
  /** Ids of the policies that read it. */
  readonly policies: readonly string[];
  /** Its value decides how long a run takes. */
  readonly workload: boolean;
  /** Its value for a quick first answer; null where there is none. [the option's own] */
  readonly draft: number | null;
}

/** A policy. */
export interface Policy {
  /** "Beam". */
  readonly id: string;
  /** For people. */
  readonly title: string;
  /** What it does. */
  readonly description: string;
  /** Facts on which others rely: kPolicyTraits in core/policy/policy.h says what each means. */
  readonly traits: readonly (
    | 'floor'
    | 'baseline'
    | 'chain-trace'
    | 'beam-trace'
    | 'beam-search'
    | 'spill-strategy'
    | 'lower-bound'
    | 'compiler-policy'
    | 'as-it-stands'
  )[];
}

/** The answer of `catalog`. */
export interface Catalog {
  /** Version of this description: raised when a field goes, or means something else. [version] */
  readonly schema: 2;
  /** Version of the program. */
  readonly tessera: string;
  /** Chips. */
  readonly devices: readonly DeviceInfo[];
  /** Policies. */
  readonly policies: readonly Policy[];
  /** Options, `device` and `policy` among them. */
  readonly options: readonly OptionInfo[];
  /** Families of ops. */
  readonly families: readonly {
    /** "eltwise_unary". */
    readonly id: string;
    /** For people. */
    readonly title: string;
  }[];
  /** Ops that are known. */
  readonly ops: readonly {
    /** "ttir.matmul". */
    readonly name: string;
    /** Its family. */
    readonly family: string;
    /** A letter for the role of each operand. */
    readonly operands: string;
  }[];
  /** Kinds of diagnostics. */
  readonly diagnostics: readonly {
    /** Its name. */
    readonly kind: string;
    /** How bad it is. */
    readonly severity: Severity;
    /** Its message with places for figures. */
    readonly format: string;
  }[];
}

/** The answer of the lab's `catalog`. */
export interface LabCatalog {
  /** Version of this description: raised when a field goes, or means something else. [version] */
  readonly schema: 2;
  /** Version of the program. */
  readonly tessera: string;
  /** Chips. */
  readonly devices: readonly DeviceInfo[];
}

/** The answer of `version`. */
export interface Version {
  /** Version of the program. */
  readonly tessera: string;
  /** Version of this description: raised when a field goes, or means something else. [version] */
  readonly schema: 2;
}
