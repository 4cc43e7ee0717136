import { useMemo, useState, useSyncExternalStore } from 'react';
import type { Observable } from 'rxjs';

/** Returns the latest value of a stream; `initial` until it has emitted. Streams of the kernel emit on subscription, so it is rarely seen. */
export function useStream<Value>(stream: Observable<Value>, initial: Value): Value {
  const [first] = useState(() => initial);
  const latest = useMemo(() => latestOf(stream, first), [stream, first]);
  return useSyncExternalStore(latest.subscribe, latest.read);
}

function latestOf<Value>(stream: Observable<Value>, initial: Value) {
  let value = initial;
  stream.subscribe((emitted) => (value = emitted)).unsubscribe();
  const subscribe = (wake: () => void) => {
    const subscription = stream.subscribe((emitted) => {
      if (Object.is(emitted, value)) return;
      value = emitted;
      wake();
    });
    return () => subscription.unsubscribe();
  };
  return { subscribe, read: () => value };
}
