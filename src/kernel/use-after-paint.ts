import { useEffect, useState } from 'react';
import { afterPaint } from './after-paint.ts';

/** A value once what changed along with it has been painted: for what takes long to draw. Where nobody looks it changes at once. */
export function useAfterPaint<Value>(value: Value): Value {
  const [painted, setPainted] = useState(value);
  useEffect(() => afterPaint(() => setPainted(() => value)), [value]);
  return painted;
}
