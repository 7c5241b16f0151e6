// Parts of the schedule that its first picture does without: they come in a chunk of their own, right after it.

import './filter_menu';
import './minimap';

export type { TesseraMinimap as Minimap } from './minimap';
