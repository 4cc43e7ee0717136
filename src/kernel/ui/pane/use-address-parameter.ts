import { useCallback, useContext, useState } from 'react';
import { map, of } from 'rxjs';
import { useStream } from '../../base/react/use-stream.ts';
import { PaneContext } from './pane-context.ts';

/**
 * Holds a value of a page, such as its inner tab, in the page's address: a reload, a copied link and the browser's back button restore it. The first of
 * `values` is the default, which the address does not show. Inside a panel, which the address does not describe, the value is local.
 */
export function useAddressParameter<const Value extends string>(name: string, values: readonly [Value, ...Value[]]): readonly [Value, (value: Value) => void] {
  const [text, setText] = useAddressText(name);
  return [values.find((value) => value === text) ?? values[0], useCallback((value: Value) => setText(value === values[0] ? '' : value), [setText, values[0]])];
}

/** Holds a free text of a page, such as the id of a selected node, in the page's address; empty by default. */
export function useAddressText(name: string): readonly [string, (text: string) => void] {
  const { address } = useContext(PaneContext);
  const [local, setLocal] = useState('');
  const [text$] = useState(() => address?.search$.pipe(map((search) => new URLSearchParams(search).get(name) ?? '')) ?? of(''));
  const text = useStream(text$, address ? (new URLSearchParams(address.search).get(name) ?? '') : '');
  const change = useCallback(
    (next: string) => {
      if (!address) return setLocal(next);
      address.change((parameters) => void (next === '' ? parameters.delete(name) : parameters.set(name, next)), 'push');
    },
    [address, name],
  );
  return [address ? text : local, change];
}
