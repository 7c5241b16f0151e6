// Row of a run: made from docs/schema/row.schema.json by `npm run generate`.

/**
 * op: of the program. terminator: func.return. The others are moves that the plan inserted. spill: from L1 to DRAM.
 * reload: from DRAM into L1, of a tensor that was there before or never was. reshard: into another layout of the same
 * memory. return: from L1 to DRAM because the function returns the tensor there.
 */
export type RowKind = 'op' | 'spill' | 'reload' | 'reshard' | 'return' | 'terminator';

/**
 * Why the plan moves a tensor. memory: to make room in L1. constraint: an op that reads it does not take it as it was.
 * chain end: its chain of ops in L1 ends. shared: several ops read the copy. operand: a copy for one operand of the
 * next op.
 */
export type MoveCause = 'return' | 'memory' | 'constraint' | 'chain end' | 'shared' | 'operand';

/**
 * Why room in L1 decided that a tensor leaves, comes back or is made elsewhere: by the policy's own count when it
 * decided, which need not be that of the run.
 */
export interface Room {
  /**
   * What decided. step: the policy's walk found no room at the step of `row`. search: a search over all steps, ahead of
   * the walk. prices: prices of L1 at every step. With the last two the figures are 0.
   */
  readonly rule: 'step' | 'search' | 'prices';
  /** The op that found too little room; -1: it is no row. [index in rows] */
  readonly row: number;
  /** Refusal of that op, "NoHole"; the rules of the op model list them. */
  readonly reason: string;
  /** The refusal in words, after "the op". */
  readonly text: string;
  /** What the op wanted for its result and its circular buffers. [bytes per core] */
  readonly own: number;
  /** What tensors held in L1. [bytes per core] */
  readonly occupied: number;
  /**
   * Figure of the refusal: OutOfL1: the sum with everything in L1. NoHole: the piece that found no hole.
   * CircularBufferClash: the circular buffers. 0 for others. [bytes per core]
   */
  readonly needed: number;
  /** What there is for `needed`: the budget, the largest hole, or the room below the lowest tensor. [bytes per core] */
  readonly available: number;
}

/** A circular buffer of an op; they stand one after the other from the first usable address upwards. */
export interface CircularBuffer {
  /** "in0", "out". */
  readonly name: string;
  /** Where it begins. [byte address in L1] */
  readonly address: number;
  /** Its size. [bytes per core] */
  readonly bytes: number;
}

/** A circular buffer that lies in a tensor's shard and takes no L1 of its own. */
export interface BackedBuffer {
  /** "in0", "out". */
  readonly name: string;
  /** Its size. [bytes per core] */
  readonly bytes: number;
  /** The operand whose shard it is; -1: the result. [index in operands] */
  readonly operand: number;
}

/** A memory that tensors are allocated in. */
export type MemorySpace = 'l1' | 'l1_small' | 'dram';

/** A tensor that an op makes before its results and frees when it has run. */
export interface Intermediate {
  /** "halo". */
  readonly name: string;
  /** Where it lies. */
  readonly space: MemorySpace;
  /** Its size. [bytes per core or per DRAM bank] */
  readonly bytes: number;
}

/** Time of a step by its parts; compute, DRAM and NoC run beside each other after the fixed part. */
export interface Time {
  /** The step. [ns] */
  readonly total: number;
  /** Dispatch and set-up. [ns] */
  readonly fixed: number;
  /** Arithmetic. [ns] */
  readonly compute: number;
  /** Traffic with DRAM. [ns] */
  readonly dram: number;
  /** Traffic between cores. [ns] */
  readonly noc: number;
}

/** One step of the schedule; its index in `rows` is the step. */
export interface Row {
  /** What it is. */
  readonly kind: RowKind;
  /** Of a move: why it is made. */
  readonly cause?: MoveCause;
  /** Of a move or of an op's result: what the policy says about room, where room decided. */
  readonly room?: Room;
  /** "ttir.conv2d". */
  readonly op: string;
  /** Of the first result, "%12"; "" when there is none. */
  readonly name: string;
  /** Name of its location; may be "". */
  readonly label: string;
  /** Family of ops; the catalog lists them. */
  readonly family: string;
  /** L1 chain; -1: in none. [index in chains] */
  readonly chain: number;
  /** What it reads. [index in values] */
  readonly operands: readonly number[];
  /** What it makes. [index in values] */
  readonly results: readonly number[];
  /** Cores that compute. [count] */
  readonly cores: number;
  /** How long it takes. */
  readonly time: Time;
  /** The part that decides its time. */
  readonly bound: 'compute' | 'dram' | 'noc' | 'fixed' | 'none';
  /** Moved to and from DRAM. [bytes of the whole device] */
  readonly dramBytes: number;
  /** Moved between cores. [bytes of the whole device] */
  readonly nocBytes: number;
  /** What the op model answered. */
  readonly constraints: {
    /** Circular buffers that no tensor backs. [bytes per core] */
    readonly circularBuffers: number;
    /** Tensors that the op allocates. [bytes per core] */
    readonly tensors: number;
    /** Both together. [bytes per core] */
    readonly peak: number;
    /** Its results alone. [bytes per core] */
    readonly output: number;
  };
  /** L1 while the op runs. Circular buffers are not the allocator's and take no part of `free`. */
  readonly l1: {
    /** Tensors. [bytes per core] */
    readonly tensors: number;
    /** Circular buffers. [bytes per core] */
    readonly circularBuffers: number;
    /** Both together. [bytes per core] */
    readonly peak: number;
    /** What the allocator has left. [bytes per core or per DRAM bank] */
    readonly free: number;
    /** Largest piece of it; 1 - largestHole / free is the fragmentation. [bytes per core or per DRAM bank] */
    readonly largestHole: number;
  };
  /** Each DRAM bank while the op runs. */
  readonly dram: {
    /** Taken. [bytes per DRAM bank] */
    readonly used: number;
    /** What the allocator has left. [bytes per core or per DRAM bank] */
    readonly free: number;
    /** Largest piece of it; 1 - largestHole / free is the fragmentation. [bytes per core or per DRAM bank] */
    readonly largestHole: number;
  };
  /** Circular buffers with L1 of their own. */
  readonly circularBuffers: readonly CircularBuffer[];
  /** Circular buffers that lie in tensors. */
  readonly backedBuffers: readonly BackedBuffer[];
  /** Which rule of the op model decided. */
  readonly rule: {
    /** Its name. */
    readonly name: string;
    /** Where it is published. */
    readonly source: string;
  };
  /** Why the op model refuses the op as it stands; its time says nothing then. "" when it does not. */
  readonly refusal: string;
  /** Why the step cannot run; null: it can. */
  readonly verdict: {
    /** What happens. */
    readonly kind: 'out_of_memory' | 'clash' | 'use_after_free';
    /** As the runtime words it. */
    readonly text: string;
  } | null;
  /** Where the result really is, when the op does not obey the layout it was asked for; else -1. [index in layouts] */
  readonly produced: number;
  /** Value that the op frees before its result is allocated (deallocate_activation); -1: none. [index in values] */
  readonly freedOperand: number;
  /** Tensors of its own. */
  readonly intermediates: readonly Intermediate[];
  /** Where it stands in the source; null for moves. */
  readonly place: {
    /** Line. [1-based line] */
    readonly line: number;
    /** Column. [1-based column in UTF-16 units] */
    readonly column: number;
  } | null;
}
