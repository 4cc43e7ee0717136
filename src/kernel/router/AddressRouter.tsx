import type { ReactNode } from 'react';
import { Router } from 'react-router-dom';
import { useService } from '../services.tsx';
import { useStream } from '../use-stream.ts';
import { AddressBar } from './address-bar.ts';

/** Tells the components below where the window is. */
export function AddressRouter({ children }: { readonly children: ReactNode }) {
  const bar = useService(AddressBar);
  const location = useStream(bar.location$, bar.location);
  return (
    // As transitions, slow navigations make React replace the history entry, and with it the router's own state, to spin the browser's wheel.
    <Router location={location} navigator={bar} useTransitions={false}>
      {children}
    </Router>
  );
}
