import { css } from 'lit';

export const appStyles = css`
  :host { display: flex; flex-direction: column; height: 100vh; height: 100dvh; overflow: hidden; }
  tessera-toolbar, tessera-totals { flex: none; }
  tessera-toolbar { position: relative; z-index: 10; }
  main { flex: 1; min-height: 0; position: relative; }
  main.wide { display: grid; grid-template-columns: 34px minmax(0, 1fr) clamp(280px, 22vw, 400px); grid-template-rows: minmax(0, 1fr); }
  main.wide.with-source { grid-template-columns: clamp(220px, 16vw, 480px) minmax(0, 1fr) clamp(280px, 20vw, 400px); }
  main.narrow { display: flex; flex-direction: column; }
  main.narrow > * { flex: 1; min-height: 0; }
  main.wide > tessera-source { border-right: 1px solid var(--line); }
  main.wide > tessera-why { border-left: 1px solid var(--line); min-height: 0; }
  .center { display: flex; flex-direction: column; min-width: 0; min-height: 0; }
  tessera-schedule, tessera-compare, tessera-steps, tessera-passes, tessera-optimum { flex: 1; min-height: 0; }
  .views { display: flex; flex: none; gap: 2px; padding: 3px 8px 0; background: var(--panel); border-bottom: 1px solid var(--line); overflow-x: auto; scrollbar-width: none; }
  .views button { border: 0; background: none; padding: 4px 10px 5px; color: var(--dim); border-bottom: 2px solid transparent; cursor: pointer; white-space: nowrap; }
  .views button:hover { color: var(--ink); } .views button[aria-current='true'] { color: var(--accent); border-bottom-color: var(--accent); font-weight: 600; }
  /* An earlier picture loses its colours and its drawings fade; its texts stay readable. */
  .stale { filter: grayscale(1); }
  tessera-totals, tessera-schedule, tessera-why { transition: filter .15s; }
  .stalenote { padding: 7px 12px; background: var(--bad-soft); border-bottom: 1px solid var(--line); } .stalenote b { color: var(--bad); }
  .rail { display: flex; flex-direction: column; align-items: center; gap: 10px; padding: 5px 0; background: var(--panel); border-right: 1px solid var(--line); }
  .railtext { writing-mode: vertical-rl; color: var(--dim); font-size: 12px; transform: rotate(180deg); }
  .raildot { width: 8px; height: 8px; border-radius: 50%; background: var(--bad); }
  .tabs { display: flex; flex: none; background: var(--panel); border-bottom: 1px solid var(--line); }
  .tabs button { flex: 1; border: 0; background: none; min-height: 40px; color: var(--dim); border-bottom: 2px solid transparent; cursor: pointer; }
  .tabs .on { color: var(--accent); border-bottom-color: var(--accent); font-weight: 600; } .tabs .errors { color: var(--bad); }
  .notices:empty { display: none; }
  .notice { display: flex; align-items: flex-start; gap: 8px; padding: 6px 8px 6px 14px; border-bottom: 1px solid var(--line); background: var(--soft); overflow-wrap: anywhere; }
  .notice > span { flex: 1; min-width: 0; padding: 4px 0; }
  .notice.error { background: var(--bad-soft); } .notice.warning { background: var(--warn-soft); }
  .notice pre { margin: 6px 0 0; white-space: pre-wrap; font: 11px var(--mono); max-height: 160px; overflow: auto; }
  .blank { display: flex; flex-direction: column; align-items: center; justify-content: flex-start; gap: 10px; padding: clamp(24px, 9vh, 90px) 24px 24px; text-align: center; overflow: auto; min-height: 0; }
  .blank h2 { font-size: 17px; } .blank > p { max-width: 520px; line-height: 1.5; color: var(--dim); }
  .samples { display: grid; grid-template-columns: repeat(auto-fill, minmax(220px, 1fr)); gap: 10px; width: min(100%, 740px); margin: 10px 0; }
  .samples button { width: 100%; height: 100%; text-align: left; border: 1px solid var(--line); background: var(--panel); border-radius: 9px; padding: 10px 12px; cursor: pointer; display: flex; flex-direction: column; gap: 3px; }
  .samples button:hover { border-color: var(--accent); } .samples span { color: var(--dim); font-size: 12px; }
  .errors ul { width: min(100%, 640px); text-align: left; border: 1px solid var(--line); border-radius: 9px; background: var(--panel); overflow: hidden; }
  .errors li + li { border-top: 1px solid var(--line); }
  .errors li button { display: flex; gap: 12px; width: 100%; border: 0; background: none; padding: 8px 12px; cursor: pointer; text-align: left; overflow-wrap: anywhere; }
  .errors li button:hover { background: var(--hover); } .errors .mono { color: var(--bad); flex: none; font-size: 12px; line-height: 18px; }
  .errors li span { min-width: 0; }
  .loading { padding: 38px 0 0; align-items: stretch; } .skeleton i { display: block; height: 12px; margin: 7px 16px 14px; border-radius: 4px; background: var(--soft); }
  .skeleton i:nth-child(3n) { margin-right: 34%; } .skeleton i:nth-child(3n + 1) { margin-right: 18%; }
  .drop { position: fixed; inset: 0; z-index: 40; display: grid; place-items: center; background: color-mix(in srgb, var(--bg) 78%, transparent); pointer-events: none; }
  .drop span { border: 2px dashed var(--accent); border-radius: 14px; padding: 34px 56px; font-size: 18px; background: var(--panel); }
  .tip { position: fixed; left: 0; top: 0; z-index: 50; max-width: min(380px, 92vw); padding: 6px 10px; border-radius: 7px; background: var(--ink); color: var(--panel); font-size: 12px; line-height: 1.45; white-space: pre-line; pointer-events: none; box-shadow: var(--shadow); }
  @media (prefers-reduced-motion: reduce) { tessera-totals, tessera-schedule, tessera-why { transition: none; } }
`;
