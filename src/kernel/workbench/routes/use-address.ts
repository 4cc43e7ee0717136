import type { Location } from 'react-router-dom';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { AddressBar } from './address-bar.ts';

/** Returns the location of the window and follows every change. A page in a tab uses the router instead, which has the location of its tab. */
export function useAddress(): Location {
  const bar = useService(AddressBar);
  return useStream(bar.location$, bar.location);
}
