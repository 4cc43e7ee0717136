/** Replaces `resize-observer-polyfill`, which Arco imports, with the browser's own `ResizeObserver`. */
export default window.ResizeObserver;
