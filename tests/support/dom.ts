import { afterAll } from '@rstest/core';

/** happy-dom does not know `<search>` yet, and React takes what a browser does not know for a mistake. */
Object.defineProperty(HTMLUnknownElement.prototype, Symbol.toStringTag, {
  configurable: true,
  get(this: Element) {
    return this.localName === 'search' ? 'HTMLElement' : 'HTMLUnknownElement';
  },
});

/** What React has put off is done before the DOM is gone; after that it would end the process and fail the whole run. */
afterAll(async () => {
  for (let turn = 0; turn < 3; turn++) await new Promise((done) => setTimeout(done, 0));
});

/** As `pre-paint.js` leaves it, before React is loaded. */
Object.assign(globalThis, {
  __REACT_DEVTOOLS_GLOBAL_HOOK__: { supportsFiber: true, renderers: new Map(), inject: () => 1, onCommitFiberRoot: () => {}, onCommitFiberUnmount: () => {} },
});
