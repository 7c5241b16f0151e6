import { css } from 'lit';

export const whyStyles = css`
  .doc {
    color: var(--accent);
    font-weight: 400;
    font-size: 12px;
    white-space: nowrap;
    text-transform: none;
    letter-spacing: 0;
  }
  :host {
    display: block;
    overflow: auto;
    padding: 14px 16px 32px;
    background: var(--panel);
    scrollbar-width: thin;
  }
  .fold {
    float: right;
    margin: -4px -6px 0 6px;
  }
  @media (max-width: 820px) {
    .fold {
      display: none;
    }
  }
  h2 {
    font: 600 15px/1.3 var(--mono);
    overflow-wrap: anywhere;
    outline-offset: 3px;
  }
  h3 {
    font-size: 11px;
    font-weight: 600;
    color: var(--dim);
    text-transform: uppercase;
    letter-spacing: 0.04em;
    margin-bottom: 6px;
  }
  h3 i {
    font-style: normal;
    font-weight: 400;
    text-transform: none;
    letter-spacing: 0;
    margin-left: 4px;
  }
  section {
    margin-top: 18px;
  }
  .sub {
    color: var(--dim);
    margin-top: 2px;
    overflow-wrap: anywhere;
  }
  .result {
    margin-top: 10px;
    display: flex;
    gap: 8px;
    align-items: center;
    flex-wrap: wrap;
    font-size: 12px;
  }
  .remedies p,
  .applied {
    margin-top: 6px;
    font-size: 12px;
  }
  .applied {
    display: flex;
    gap: 10px;
    align-items: center;
    justify-content: space-between;
    padding: 6px 10px;
    border-radius: 8px;
    background: var(--good-soft);
  }
  .changes li {
    display: flex;
    gap: 10px;
    align-items: center;
    justify-content: space-between;
    padding: 6px 0;
    border-top: 1px solid var(--line);
  }
  .changes b {
    font-weight: 600;
    font-size: 12px;
  }
  .changes small {
    display: block;
    color: var(--dim);
    font-size: 12px;
    margin-top: 3px;
    line-height: 1.5;
  }
  .story {
    margin-top: 8px;
    display: grid;
    gap: 6px;
    line-height: 1.5;
    overflow-wrap: anywhere;
  }
  .story .link {
    font-size: 12px;
    text-decoration: underline;
    text-underline-offset: 2px;
  }
  .why {
    margin-top: 8px;
    line-height: 1.5;
    overflow-wrap: anywhere;
  }
  .verdict {
    margin-top: 12px;
    border: 1px solid color-mix(in srgb, var(--bad) 50%, transparent);
    background: var(--bad-soft);
    border-radius: 8px;
    padding: 9px 12px;
    line-height: 1.45;
    overflow-wrap: anywhere;
  }
  .verdict b {
    display: block;
    color: var(--bad);
  }
  table {
    border-collapse: collapse;
    width: 100%;
    font-size: 12px;
    table-layout: fixed;
  }
  th {
    text-align: left;
    font-weight: 500;
    color: var(--dim);
    font-size: 11px;
    padding: 0 4px 4px 0;
  }
  th:first-child {
    width: 96px;
  }
  td {
    padding: 6px 4px 6px 0;
    border-top: 1px solid var(--line);
    vertical-align: top;
    overflow-wrap: anywhere;
  }
  .each {
    display: block;
    color: var(--dim);
    font-size: 11px;
    margin-top: 3px;
  }
  .status {
    font-weight: 600;
  }
  tr.chosen .status {
    color: var(--good);
  }
  tr.rejected .status {
    color: var(--bad);
  }
  tr.worse .status {
    color: var(--dim);
  }
  tr.chosen td {
    background: color-mix(in srgb, var(--good) 7%, transparent);
  }
  .several {
    display: flex;
    flex-wrap: wrap;
    gap: 4px;
    margin-top: 6px;
  }
  .optimum p {
    line-height: 1.5;
  }
  .force {
    margin-top: 6px;
    display: flex;
    gap: 10px;
    align-items: center;
  }
  .force select {
    max-width: 240px;
  }
  .pinned {
    border-color: var(--accent) !important;
    color: var(--accent);
  }
  .values li {
    display: flex;
    align-items: center;
    gap: 8px;
    min-height: 26px;
    border-top: 1px solid color-mix(in srgb, var(--line) 60%, transparent);
    font-size: 12px;
  }
  .values li:first-child {
    border-top: 0;
  }
  .values li > :first-child {
    flex: 1 1 0;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    font-size: 12px;
    min-height: 24px;
    line-height: 24px;
  }
  .values li > .dim {
    flex: 0 1 auto;
    min-width: 0;
    max-width: 45%;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .num {
    flex: none;
    text-align: right;
    color: var(--dim);
    font-variant-numeric: tabular-nums;
    min-width: 54px;
    font-size: 12px;
  }
  .values .num.mono {
    font-size: 11px;
    max-width: 120px;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .l1bar {
    width: 100%;
    height: 14px;
    display: block;
    border-radius: 3px;
  }
  .l1bar .free {
    fill: var(--soft);
  }
  .l1bar .cbline {
    fill: var(--circular);
  }
  .l1bar .tensors {
    fill: var(--height);
  }
  .l1bar .over {
    stroke: var(--bad);
    stroke-width: 1.5;
    vector-effect: non-scaling-stroke;
  }
  .facts {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(150px, 1fr));
    gap: 2px 14px;
    margin: 8px 0;
    font-size: 12px;
    white-space: nowrap;
  }
  .facts div {
    display: flex;
    justify-content: space-between;
    gap: 6px;
  }
  .facts dt {
    color: var(--dim);
  }
  .facts dd {
    font-variant-numeric: tabular-nums;
    text-align: right;
  }
  .facts i {
    display: none;
  }
  .facts .bad dt,
  .facts .bad dd {
    color: var(--bad);
    font-weight: 600;
  }
  .cores {
    display: block;
    width: min(100%, 190px);
    height: auto;
  }
  .cores rect {
    stroke-width: 1;
  }
  .cores .on {
    fill: color-mix(in srgb, currentColor 55%, transparent);
    stroke: currentColor;
  }
  .cores .off {
    fill: var(--soft);
    stroke: var(--line);
  }
  .cores.bytes {
    width: min(100%, 270px);
    margin-top: 8px;
  }
  .bytes .tensors,
  .bytes .cb {
    stroke: none;
    fill: color-mix(in srgb, var(--height) 45%, transparent);
  }
  .bytes .cb {
    fill: color-mix(in srgb, var(--circular) 45%, transparent);
  }
  .bytes text {
    fill: var(--ink);
    text-anchor: middle;
    font-family: var(--sans);
  }
  .caption {
    color: var(--dim);
    font-size: 12px;
    margin-top: 6px;
  }
  h4 {
    font-size: 12px;
    font-weight: 600;
    margin: 12px 0 3px;
  }
  h4 i {
    font-style: normal;
    font-weight: 400;
    color: var(--dim);
    margin-left: 4px;
  }
  .query > h3 + h4 {
    margin-top: 0;
  }
  .sizes li,
  .parts li {
    display: flex;
    align-items: center;
    gap: 8px;
    min-height: 20px;
    font-size: 12px;
  }
  .sizes li > :first-child {
    font-family: var(--mono);
  }
  .sizes i {
    flex: 1;
    font-style: normal;
    color: var(--dim);
    font-size: 11px;
  }
  .parts {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(128px, 1fr));
    gap: 0 18px;
    margin-top: 4px;
  }
  .parts li > :nth-child(2) {
    flex: 1;
  }
  .parts svg {
    flex: none;
  }
  .parts .bound {
    font-weight: 600;
  }
  .parts .bound .num {
    color: var(--ink);
  }
  .query p i {
    font-style: normal;
  }
  .produced {
    color: var(--dim);
  }
  .placement li {
    display: grid;
    grid-template-columns: 82px 1fr 62px;
    gap: 8px;
    align-items: center;
    min-height: 20px;
    font-size: 12px;
  }
  .placement svg {
    width: 100%;
    height: 9px;
    border-radius: 2px;
  }
  .placement .free {
    fill: var(--soft);
  }
  .placement .now {
    fill: var(--dram);
  }
  .placement .planned {
    fill: var(--height);
  }
  .placement .bound {
    fill: var(--good);
  }
  .placement [aria-pressed='true'] {
    background: var(--select);
    color: var(--accent);
  }
  .timebar {
    width: 100%;
    display: block;
  }
  section > .dim {
    margin-top: 6px;
    font-size: 12px;
  }
  .keys dl {
    font-size: 12px;
    display: grid;
    gap: 5px;
  }
  .keys dl div {
    display: flex;
    gap: 10px;
  }
  .keys dt {
    width: 62px;
  }
  .keys dd {
    color: var(--dim);
  }
  kbd {
    font: 11px var(--mono);
    border: 1px solid var(--line);
    border-bottom-width: 2px;
    border-radius: 4px;
    padding: 1px 5px;
    background: var(--soft);
  }
`;
