import { useEffect, useState } from 'react';
import { afterPaint } from './after-paint.ts';

/** Returns a value delayed until the other changes of the render have been painted: for content that takes long to render. In a hidden document it changes at once. */
export function useAfterPaint<Value>(value: Value): Value {
  const [painted, setPainted] = useState(value);
  useEffect(() => afterPaint(() => setPainted(() => value)), [value]);
  return painted;
}
