/** Stands in for `resize-observer-polyfill`, which Arco brings for browsers without one. */
export default window.ResizeObserver;
