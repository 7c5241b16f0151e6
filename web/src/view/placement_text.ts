// What planning the L1 addresses ahead of time would gain over the runtime's first fit, in words.

import { formatBytes, formatPercent } from '../model/format';
import type { Placement } from '../model/report';

export function placementText(placement: Placement): string {
  const { firstFit, planned, bound, proven } = placement;
  if (firstFit === bound)
    return (
      `The runtime's first fit needs ${formatBytes(firstFit)} of each core, which is as much as is alive at ` +
      'once: no fragmentation.'
    );
  const gain =
    planned < firstFit
      ? `Addresses planned ahead need ${formatBytes(planned)}, ${formatBytes(firstFit - planned)} less ` +
        `(${formatPercent(firstFit - planned, firstFit)}): that much is fragmentation.`
      : 'No better addresses were found.';
  const least = proven
    ? 'No plan can need less: so much is alive at once.'
    : `At least ${formatBytes(bound)} are alive at once, so no plan can need less than that.`;
  return `${gain} ${least}`;
}
