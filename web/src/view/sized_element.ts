// An element that is laid out anew when its size changes.

import { TesseraElement } from './element';

export abstract class SizedElement extends TesseraElement {
  private readonly resize_ = new ResizeObserver(() => this.resized());

  protected abstract resized(): void;

  override connectedCallback(): void {
    super.connectedCallback();
    this.resize_.observe(this);
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resize_.disconnect();
  }
}
