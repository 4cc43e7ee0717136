import { type ReactNode, useState } from 'react';
import { Router } from 'react-router-dom';
import { useService } from '../services.tsx';
import { AddressBar } from './address-bar.ts';

/**
 * Lets links and pages below change the address. It does not follow it: a router that does makes React look through every page of every tab, hidden ones
 * too, whenever one goes elsewhere. Pages are told where their tab is, and whoever follows the window asks `useAddress`.
 */
export function AddressRouter({ children }: { readonly children: ReactNode }) {
  const bar = useService(AddressBar);
  const [beginning] = useState(bar.location);
  return (
    // As transitions, slow navigations make React replace the history entry, and with it the router's own state, to spin the browser's wheel.
    <Router location={beginning} navigator={bar} useTransitions={false}>
      {children}
    </Router>
  );
}
