// What part of the graph is seen, and how large. Pure.

import { kLayer, kNodeHigh, kNodeWide, type Camera } from './graph_draw';

export interface Size {
  readonly width: number;
  readonly height: number;
}

const kMargin = 16;
const kLeastScale = 0.02;
const kMostScale = 1.6;
const kReadable = 0.8;

// All of it, no larger than life.
export function fitted(graph: Size, view: Size): Camera {
  const scale = Math.max(
    kLeastScale,
    Math.min(1, (view.width - 2 * kMargin) / graph.width, (view.height - 2 * kMargin) / graph.height),
  );
  return {
    scale,
    x: graph.width / 2 - view.width / scale / 2,
    y: Math.min(-kMargin / scale, graph.height / 2 - view.height / scale / 2),
  };
}

// Where a graph is seen first: all of it where its names can be read then, else its upper end.
export function opening(graph: Size, view: Size, top: { readonly x: number }): Camera {
  const all = fitted(graph, view);
  if (all.scale >= 0.5) return all;
  return { scale: kReadable, x: top.x - view.width / kReadable / 2, y: -kMargin / kReadable };
}

// Larger or smaller around a point of the view.
export function zoomedAt(camera: Camera, factor: number, x: number, y: number): Camera {
  const scale = Math.min(kMostScale, Math.max(kLeastScale, camera.scale * factor));
  return { scale, x: camera.x + x / camera.scale - x / scale, y: camera.y + y / camera.scale - y / scale };
}

// Moved as little as shows that node with some room around it.
export function showing(camera: Camera, view: Size, x: number, y: number): Camera {
  const wide = view.width / camera.scale;
  const high = view.height / camera.scale;
  const [roomX, roomY] = [Math.min(wide / 2, kNodeWide / 2 + 20), Math.min(high / 2, kNodeHigh / 2 + kLayer)];
  const move = (at: number, from: number, size: number, room: number): number =>
    at - room < from ? at - room : at + room > from + size ? at + room - size : from;
  return { ...camera, x: move(x, camera.x, wide, roomX), y: move(y, camera.y, high, roomY) };
}
