import { useMemo, useState, useSyncExternalStore } from 'react';
import type { Observable } from 'rxjs';

/** Returns the latest value of a stream, or `initial` until the stream has emitted. Streams of the kernel emit on subscription. */
export function useStream<Value>(stream: Observable<Value>, initial: Value): Value {
  const [first] = useState(() => initial);
  const store = useMemo(() => externalStoreOf(stream, first), [stream, first]);
  return useSyncExternalStore(store.subscribe, store.getSnapshot);
}

/** Adapts a stream to the interface of `useSyncExternalStore`. */
function externalStoreOf<Value>(stream: Observable<Value>, initial: Value) {
  let value = initial;
  stream.subscribe((emitted) => (value = emitted)).unsubscribe();
  const subscribe = (onStoreChange: () => void) => {
    const subscription = stream.subscribe((emitted) => {
      if (Object.is(emitted, value)) return;
      value = emitted;
      onStoreChange();
    });
    return () => subscription.unsubscribe();
  };
  return { subscribe, getSnapshot: () => value };
}
