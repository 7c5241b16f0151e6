// Study: made from docs/schema/study.schema.json by `npm run generate`.

/**
 * What became of a run. refused: its input or its options have mistakes. The last three are tried again when the study
 * is.
 */
export type StudyStatus = 'ran' | 'refused' | 'time limit' | 'memory limit' | 'crashed';

/** What is measured of a run: the columns of runs.csv. */
export interface StudyRow {
  /** Ops of the program with a result, moves left out. [count] */
  readonly ops: number;
  /** Simulated time. [ns] */
  readonly time: number;
  /** Moved to and from DRAM, whole device. [bytes] */
  readonly dramBytes: number;
  /** Moves from L1 to DRAM, returns apart. [count] */
  readonly spills: number;
  /** Moves from DRAM into L1. [count] */
  readonly reloads: number;
  /** Moves within one memory. [count] */
  readonly reshards: number;
  /** Moves from L1 to DRAM because the function returns the tensor. [count] */
  readonly returns: number;
  /** That the spills write, padding included. [bytes] */
  readonly spillBytes: number;
  /** That the reloads write. [bytes] */
  readonly reloadBytes: number;
  /** That the reshards write. [bytes] */
  readonly reshardBytes: number;
  /** That the returns write. [bytes] */
  readonly returnBytes: number;
  /** Not in L1: every reader, or the op that makes it, refuses it there. [values] */
  readonly lostConstraint: number;
  /** Not in L1: L1 was full. [values] */
  readonly lostMemory: number;
  /** Not in L1: several readers, and the policy keeps a tensor for one only. [values] */
  readonly lostFork: number;
  /** Not in L1: its reader would take it, but not as its first operand. [values] */
  readonly lostOperand0: number;
  /** Not in L1: its reader would take it; the chain ended or failed. [values] */
  readonly lostChain: number;
  /** Not in L1: the policy prefers it in DRAM. [values] */
  readonly lostChoice: number;
  /** Not in L1: the function returns it, and nothing else kept it from L1. [values] */
  readonly lostReturn: number;
  /** Of all these: those that were in L1 before. [values] */
  readonly leftL1: number;
  /** Of all these but returns: those for which L1 had room up to their last reader. [values] */
  readonly roomLeft: number;
  /** Usable L1 times the usage cap. [bytes per core] */
  readonly budget: number;
  /** Most in use at once, tensors and circular buffers. [bytes per core] */
  readonly peakL1: number;
  /** Never taken. [part of the budget] */
  readonly headroom: number;
  /** Not taken, mean over all steps. [part of the budget] */
  readonly meanHeadroom: number;
  /** Results in L1. [values] */
  readonly inL1: number;
  /** Of them: sharded. [values] */
  readonly sharded: number;
  /** Results in DRAM. [values] */
  readonly inDram: number;
  /** Most tensors in L1 at once. [buffers] */
  readonly mostInL1: number;
  /** Outside of the largest hole, at the worst step. [part of free L1] */
  readonly fragmentation: number;
  /** L1 that tensors take up, as the runtime's allocator places them. [bytes per core] */
  readonly firstFit: number;
  /** The same with addresses planned ahead. [bytes per core] */
  readonly planned: number;
  /** Most of a DRAM bank in use at once. [bytes per bank] */
  readonly peakDram: number;
  /** That compute, mean over ops that compute. [cores] */
  readonly cores: number;
  /** Steps that the device would not run, and arguments without room. [count] */
  readonly failures: number;
  /** Ops that the op model refuses; the time says nothing about them. [count] */
  readonly refused: number;
  /** Found by the checkers; always a defect of this program. [count] */
  readonly defects: number;
}

/** What policy Exact proved about the graph on this device under these options. */
export interface StudyBound {
  /** Of its plan, by its own count. [ns] */
  readonly time: number;
  /** No plan of these layouts in this order takes less. [ns] */
  readonly lowerBound: number;
  /** Its plan takes no more than the bound. */
  readonly proven: boolean;
}

/** A run. */
export interface StudyRun {
  /** By content: graph, options, device, policy and program. */
  readonly key: string;
  /** Name of its graph. */
  readonly graph: string;
  /** "n150". */
  readonly device: string;
  /** By axis: the option's value. */
  readonly values: readonly string[];
  /** "Greedy". */
  readonly policy: string;
  /** What became of it. */
  readonly status: StudyStatus;
  /** Why it did not run; "" when it did. */
  readonly reason: string;
  /** What was measured; null when it did not run. */
  readonly row: StudyRow | null;
  /** Null when it is not known. */
  readonly exact: StudyBound | null;
  /**
   * Time over the lower bound, rounded up; null where there is no bound, and for plans as written, which hold layouts
   * of their own. [ratio]
   */
  readonly ratio: number | null;
}

/** A graph. */
export interface StudyGraph {
  /** The shortest end of its path that no other graph of the study has. */
  readonly name: string;
  /** Of its text. */
  readonly hash: string;
  /** Of its text. [bytes] */
  readonly bytes: number;
  /** That look like an op. [count] */
  readonly lines: number;
}

/** An option and the values it goes through. */
export interface StudyAxis {
  /** Its id. */
  readonly option: string;
  /** As they were given. */
  readonly values: readonly string[];
}

/** A policy that is none of the program's: of the page's policy lab. */
export interface StudyOutside {
  /** What its author calls it. */
  readonly name: string;
  /** Of its code. */
  readonly hash: string;
}

/** What a figure of a run means. */
export interface StudyColumn {
  /** Its member of StudyRow. */
  readonly id: string;
  /** "bytes per core". */
  readonly unit: string;
  /** In a sentence. */
  readonly help: string;
}

/** What tells studies of the same graphs apart. */
export interface StudyArguments {
  /** In the order of the runs. */
  readonly policies: readonly string[];
  /** Policies that are none of the program's, behind the others. */
  readonly outside: readonly StudyOutside[];
  /** Likewise. */
  readonly devices: readonly string[];
  /** Options with several values. */
  readonly axes: readonly StudyAxis[];
  /** Options of all runs, with one value each. */
  readonly options: readonly StudyAxis[];
  /** Exact ran for its bound, though it be none of the policies. */
  readonly optimum: boolean;
  /** Every run had a process of its own. */
  readonly alone: boolean;
  /** Processor time that a run may take. [ms] */
  readonly timeLimit: number;
  /** Memory that a process may take. [bytes] */
  readonly memoryLimit: number;
}

/** What made it. */
export interface StudyProgram {
  /** "0.1.0". */
  readonly version: string;
  /** Hash of the program file. */
  readonly build: string;
}

/** Which part of the study this is. */
export interface StudyShard {
  /** From 1. [count] */
  readonly part: number;
  /** Parts. [count] */
  readonly of: number;
}

/** The file. */
export interface Study {
  /** Version of this description: raised when a field goes, or means something else. [version] */
  readonly schema: 1;
  /** What made it. */
  readonly program: StudyProgram;
  /** Absent when it is the whole. */
  readonly shard?: StudyShard;
  /** What was asked for. */
  readonly arguments: StudyArguments;
  /** By name. */
  readonly graphs: readonly StudyGraph[];
  /** Of StudyRow, in order. */
  readonly columns: readonly StudyColumn[];
  /** By graph, device, option values and policy. */
  readonly runs: readonly StudyRun[];
}
