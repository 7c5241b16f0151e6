// What "proven" covers, said wherever a plan takes less than the proven bound.

export const kOutside =
  'it uses layouts, copies or an order of ops that the solver does not try. What is proven holds for all plans made ' +
  'of the layouts that were tried for each op, in this order of ops, with every copy made for its reader.';
