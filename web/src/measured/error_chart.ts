// How far the predictions are from what was measured: ops by measured over predicted time, as bars and as a table.

import { html, svg, type TemplateResult } from 'lit';

import { plural } from '../model/format';
import type { ProfileComparison } from '../model/profile';

type Errors = ProfileComparison['errors'];

const kBar = 26; // width and distance of bars, in units of the picture
const kGap = 4;
const kHeight = 72;

// "0.5–0.67 ×", "< 0.5 ×", "≥ 2 ×"
export function classTitle({ from, to }: Errors[number]): string {
  const text = (ratio: number): string => String(Number(ratio.toFixed(2)));
  if (to === null) return `≥ ${text(from)} ×`;
  return from === 0 ? `< ${text(to)} ×` : `${text(from)}–${text(to)} ×`;
}

// The class that holds 1: there the prediction is right.
export const isRight = ({ from, to }: Errors[number]): boolean => from < 1 && (to === null || to > 1);

export function errorChart(errors: Errors): TemplateResult {
  const most = Math.max(1, ...errors.map(({ ops }) => ops));
  const width = errors.length * (kBar + kGap);
  const said = errors.filter(({ ops }) => ops > 0).map((one) => `${classTitle(one)}: ${plural(one.ops, 'op')}`);
  const bars = errors.map((one, at) => {
    const height = one.ops === 0 ? 0 : Math.max(2, (one.ops / most) * kHeight);
    const x = at * (kBar + kGap) + kGap / 2;
    return svg`<rect class=${isRight(one) ? 'right' : 'wrong'} x=${x} y=${kHeight - height} width=${kBar}
      height=${height} /><text x=${x + kBar / 2} y=${Math.max(9, kHeight - height - 3)}>${one.ops || ''}</text>`;
  });
  return html`<div class="errors">
    <figure>
      <svg
        role="img"
        aria-label="Measured over predicted time: ${said.join('; ') || 'no op'}"
        viewBox="0 -10 ${width} ${kHeight + 26}"
      >
        ${bars}${svg`<line x1="0" x2=${width} y1=${kHeight} y2=${kHeight} />
          <text class="edge from" x="0" y=${kHeight + 13}>shorter than predicted</text>
          <text class="edge to" x=${width} y=${kHeight + 13}>longer</text>`}
      </svg>
    </figure>
    <table>
      <caption>
        Measured over predicted
      </caption>
      <tbody>
        ${errors.map(
          (one) =>
            html`<tr class=${isRight(one) ? 'right' : ''}>
              <th scope="row">${classTitle(one)}</th>
              <td class="number">${one.ops}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
