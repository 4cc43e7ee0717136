import { afterAll } from '@rstest/core';

/** The files of one worker share its window; each finds it as a browser opens one. */
localStorage.clear();
sessionStorage.clear();
// biome-ignore lint/suspicious/noDocumentCookie: the window of the tests has no cookie store
for (const cookie of document.cookie.split('; ')) if (cookie) document.cookie = `${cookie.split('=')[0]}=; max-age=0; path=/`;
history.replaceState(null, '', '/');
document.title = '';
document.head.replaceChildren();
document.body.replaceChildren();
for (const root of [document.documentElement, document.body]) for (const { name } of [...root.attributes]) root.removeAttribute(name);

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

/** As `pre-paint.js` leaves it, before React is loaded; React is loaded once, and knows the one it was loaded with. */
const page = globalThis as { __REACT_DEVTOOLS_GLOBAL_HOOK__?: object };
page.__REACT_DEVTOOLS_GLOBAL_HOOK__ ??= {
  supportsFiber: true,
  renderers: new Map(),
  inject: () => 1,
  onCommitFiberRoot: () => {},
  onCommitFiberUnmount: () => {},
};
