// Lays a graph out beside the page, so that nothing stutters.

import { layOut, type LayoutInput } from './layers';

self.addEventListener('message', (event: MessageEvent<LayoutInput & { readonly id: number }>) => {
  const { id, nodes, edges } = event.data;
  const laid = layOut({ nodes, edges });
  const parts = [laid.x, laid.layer, laid.points, laid.starts];
  self.postMessage({ id, ...laid }, { transfer: parts.map((part) => part.buffer as ArrayBuffer) });
});
