// The control of an option: by its type a checkbox, a choice, a text or a number.

import { html, nothing, type TemplateResult } from 'lit';

import { readNumber, type OptionValue } from '../model/option_values';
import type { OptionInfo } from '../model/report';

export interface OptionHooks {
  readonly id: string; // of the element, for its label
  readonly help: string; // of the element that describes it; ''
  readonly label?: string; // where no element labels it
  readonly set: (value: OptionValue) => void;
}

export function optionControl(info: OptionInfo, value: OptionValue, hooks: OptionHooks): TemplateResult {
  const { id, set, label = nothing } = hooks;
  const help = hooks.help === '' ? nothing : hooks.help;
  if (info.type === 'boolean') {
    return html`<input
      id=${id}
      aria-label=${label}
      aria-describedby=${help}
      type="checkbox"
      .checked=${value === true}
      @change=${(event: Event) => set((event.target as HTMLInputElement).checked)}
    />`;
  }
  if (info.type === 'choice') {
    return html`<select
      id=${id}
      aria-label=${label}
      aria-describedby=${help}
      @change=${(event: Event) => set((event.target as HTMLSelectElement).value)}
    >
      ${info.choices.map(
        (choice) => html`<option value=${choice.id} .selected=${choice.id === value}>${choice.title}</option>`,
      )}
    </select>`;
  }
  if (info.type === 'text') {
    return html`<input
      id=${id}
      aria-label=${label}
      aria-describedby=${help}
      type="text"
      spellcheck="false"
      .value=${String(value)}
      @change=${(event: Event) => set((event.target as HTMLInputElement).value)}
    />`;
  }
  const bounded = info.max > info.min;
  return html`<input
    id=${id}
    aria-label=${label}
    aria-describedby=${help}
    type="number"
    .value=${String(value)}
    step=${info.step > 0 ? info.step : 'any'}
    min=${bounded ? info.min : nothing}
    max=${bounded ? info.max : nothing}
    @change=${(event: Event) => onNumber(info, event.target as HTMLInputElement, set)}
  />`;
}

function onNumber(info: OptionInfo, field: HTMLInputElement, set: (value: OptionValue) => void): void {
  const value = readNumber(info, field.value) ?? Number(info.default);
  field.value = String(value);
  set(value);
}
