import { useEffect, useState } from 'react';

/** Runs work after the next paint: for work that takes long or is not visible. In a hidden document it runs at once. Returns a function that cancels it. */
export function afterPaint(work: () => void): () => void {
  if (document.hidden) {
    work();
    return () => undefined;
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(work);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

/** Returns a value delayed until the other changes of the render have been painted: for content that takes long to render. In a hidden document it changes at once. */
export function useAfterPaint<Value>(value: Value): Value {
  const [painted, setPainted] = useState(value);
  useEffect(() => afterPaint(() => setPainted(() => value)), [value]);
  return painted;
}
