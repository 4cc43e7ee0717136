import type { Location } from 'react-router-dom';
import { useService } from '../services.tsx';
import { useStream } from '../use-stream.ts';
import { AddressBar } from './address-bar.ts';

/** Where the window is; the component follows every change of it. A page in a tab asks the router instead, which tells it where its tab is. */
export function useAddress(): Location {
  const bar = useService(AddressBar);
  return useStream(bar.location$, bar.location);
}
