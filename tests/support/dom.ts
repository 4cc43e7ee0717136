import { setMaxListeners } from 'node:events';
import { afterAll } from '@rstest/core';

/** All plugins of a console listen to one signal; Node reports more than ten listeners as a leak, browsers do not. */
setMaxListeners(100);

/** The files of one worker share its window, so it is reset for each file. */
localStorage.clear();
sessionStorage.clear();
// biome-ignore lint/suspicious/noDocumentCookie: the window of the tests has no cookie store
for (const cookie of document.cookie.split('; ')) if (cookie) document.cookie = `${cookie.split('=')[0]}=; max-age=0; path=/`;
// A test may have navigated to another origin, which replaceState cannot leave.
(window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL('http://localhost:3000/');
document.title = '';
document.head.replaceChildren();
document.body.replaceChildren();
// happy-dom has no default style sheet for text areas, and Arco calculates their heights from it.
const sheet = document.createElement('style');
sheet.textContent = 'textarea { padding: 2px; border-width: 1px; }';
document.head.append(sheet);
for (const root of [document.documentElement, document.body]) for (const { name } of [...root.attributes]) root.removeAttribute(name);

// A browser that names no language leaves the choice to the deployment.
Object.defineProperty(navigator, 'languages', { configurable: true, value: [] });

/** happy-dom does not know `<search>` yet, and React reports unknown elements as errors. */
Object.defineProperty(HTMLUnknownElement.prototype, Symbol.toStringTag, {
  configurable: true,
  get(this: Element) {
    return this.localName === 'search' ? 'HTMLElement' : 'HTMLUnknownElement';
  },
});

/** Runs React's deferred work before the DOM is removed; afterwards it would end the process and fail the whole run. */
afterAll(async () => {
  for (let turn = 0; turn < 3; turn++) await new Promise((done) => setTimeout(done, 0));
});

/** Same hook as in `pre-paint.js`, before React is loaded; React is loaded once and keeps it. */
const page = globalThis as { __REACT_DEVTOOLS_GLOBAL_HOOK__?: object };
page.__REACT_DEVTOOLS_GLOBAL_HOOK__ ??= {
  supportsFiber: true,
  renderers: new Map(),
  inject: () => 1,
  onCommitFiberRoot: () => {},
  onCommitFiberUnmount: () => {},
};
