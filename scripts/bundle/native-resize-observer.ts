/** Replaces `resize-observer-polyfill`, which Arco bundles for browsers without one. */
export default window.ResizeObserver;
