// A page in which all comes later that a browser does in its own time: frames, measured sizes, `toggle` of a <details>,
// messages of workers, answers of the server. Order and outcome stay what they are. A test that asks for a thing right
// after the click that leads to it passes on a quick machine and fails here.
const kLaterMs = 150;

export const delayedPage = (context) => context.addInitScript(delayAll, kLaterMs);

// Runs in the page, before its own code.
function delayAll(laterMs) {
  const later = (call) => setTimeout(call, laterMs);
  const frames = new Map(); // given number -> the timer or the frame that is waited for
  const { requestAnimationFrame: request, cancelAnimationFrame: cancel, fetch: ask, ResizeObserver: Sizes } = window;
  let given = 0;
  window.requestAnimationFrame = (call) => {
    const mine = ++given;
    const draw = (now) => frames.delete(mine) && call(now);
    frames.set(mine, { timer: later(() => (frames.get(mine).frame = request(draw))) });
    return mine;
  };
  window.cancelAnimationFrame = (mine) => {
    const { timer, frame } = frames.get(mine) ?? {};
    clearTimeout(timer);
    if (frame !== undefined) cancel(frame);
    frames.delete(mine);
  };
  window.fetch = async (...what) => {
    const answer = await ask(...what);
    await new Promise((go) => later(go));
    return answer;
  };
  window.ResizeObserver = class extends Sizes {
    constructor(call) {
      super((entries, observer) => later(() => call(entries, observer)));
    }
  };
  const listen = EventTarget.prototype.addEventListener;
  const asked = new WeakMap(); // listener -> what listens in its place
  const delayed = (listener) => {
    if (!asked.has(listener)) {
      asked.set(listener, function ({ type, target, currentTarget, data }) {
        const event = { type, target, currentTarget, data }; // the browser's own forgets its targets
        later(() => (typeof listener === 'function' ? listener.call(this, event) : listener.handleEvent(event)));
      });
    }
    return asked.get(listener);
  };
  EventTarget.prototype.addEventListener = function (type, listener, ...options) {
    const slow = listener !== null && (type === 'toggle' || (type === 'message' && this instanceof Worker));
    return listen.call(this, type, slow ? delayed(listener) : listener, ...options);
  };
  const stop = EventTarget.prototype.removeEventListener;
  EventTarget.prototype.removeEventListener = function (type, listener, ...options) {
    stop.call(this, type, listener, ...options);
    if (asked.has(listener)) stop.call(this, type, asked.get(listener), ...options);
  };
  const { get, set } = Object.getOwnPropertyDescriptor(Worker.prototype, 'onmessage');
  Object.defineProperty(Worker.prototype, 'onmessage', {
    configurable: true,
    get,
    set(listener) {
      set.call(this, listener === null ? null : (event) => later(() => listener.call(this, event)));
    },
  });
}
