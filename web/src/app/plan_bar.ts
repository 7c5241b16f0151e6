// What decides in place of a policy: the layouts that the graph carries, or a plan from outside. With what can be done
// about it.

import { css, html, nothing, type TemplateResult } from 'lit';

import { kPolicy, kReoptimize } from '../model/plan';
import { carriesLayouts, effectivePolicy, type AppState } from '../model/state';
import { hasTrait, policiesWith } from '../model/traits';
import { sharedStyles, TesseraElement } from '../view/element';

export class TesseraPlanBar extends TesseraElement {
  static override properties = { state: { attribute: false } };
  declare state: AppState;

  protected override render(): TemplateResult | typeof nothing {
    const { state } = this;
    if (state.plan !== null) return this.renderPlan(state.plan.title);
    return carriesLayouts(state) ? this.renderWritten() : nothing;
  }

  private renderPlan(title: string): TemplateResult {
    const { before, after } = this.state.planHistory;
    const illegal = this.state.diagnostics.filter(({ kind }) => kind.startsWith('Plan')).length;
    return html`<p role="status">
      <span><b>Plan: ${title}</b>${illegal > 0 ? html` <span class="bad">${illegal} illegal</span>` : nothing}</span>
      <button class="link" ?disabled=${before.length === 0} @click=${() => this.send({ type: 'plan-undo' })}>
        Undo
      </button>
      <button class="link" ?disabled=${after.length === 0} @click=${() => this.send({ type: 'plan-redo' })}>
        Redo
      </button>
      <button class="link" @click=${() => this.ask({ type: 'export', what: 'plan' })}>Save plan</button>
      <button class="link" @click=${() => this.ask({ type: 'export', what: 'overrides' })}>Save overrides</button>
      <button class="link" @click=${() => this.send({ type: 'plan', plan: null })}>Back to the policy</button>
    </p>`;
  }

  private renderWritten(): TemplateResult {
    const { state } = this;
    const reoptimized = state.options[kReoptimize] === true;
    const written = hasTrait(state.catalog, effectivePolicy(state), 'as-it-stands');
    return html`<p role="region" aria-label="Who decides">
      <span>The graph carries the compiler’s layouts.</span>
      <button class="btn" aria-pressed=${written} @click=${() => this.takeAsWritten()}>As written</button>
      <button
        class="btn"
        aria-pressed=${reoptimized}
        data-tip="Layout ops, settings and deallocations are taken out, and the policy decides anew"
        @click=${() => this.reoptimize()}
      >
        Re-optimize
      </button>
      <button class="link" @click=${() => this.send({ type: 'view', view: { main: 'compiled' } })}>
        How far from the optimum?
      </button>
    </p>`;
  }

  private takeAsWritten(): void {
    const id = policiesWith(this.state.catalog, 'as-it-stands')[0]?.id;
    if (id !== undefined) this.send({ type: 'option', id: kPolicy, value: id });
  }

  private reoptimize(): void {
    const { [kPolicy]: policy, ...others } = this.state.options;
    const kept = hasTrait(this.state.catalog, policy ?? null, 'as-it-stands') ? {} : { [kPolicy]: policy };
    const options = policy === undefined ? others : { ...others, ...kept };
    this.send({ type: 'options', options: { ...(options as AppState['options']), [kReoptimize]: true } });
  }

  static override styles = [
    sharedStyles,
    css`
      p {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 12px;
        padding: 5px 12px;
        background: var(--panel);
        border-bottom: 1px solid var(--line);
      }
      .btn[aria-pressed='true'] {
        background: var(--select);
        color: var(--accent);
        font-weight: 600;
      }
      .bad {
        color: var(--bad);
      }
      .link:disabled {
        color: var(--dim);
        cursor: default;
        text-decoration: none;
      }
    `,
  ];
}

customElements.define('tessera-plan-bar', TesseraPlanBar);
