import { type ReactNode, useState } from 'react';
import { Router } from 'react-router-dom';
import { useService } from '../../base/react/services.tsx';
import { AddressBar } from './address-bar.ts';

/**
 * Lets the links and pages below change the address without following it: a router that follows makes React visit every page of every tab at each
 * navigation, hidden ones too. Pages receive the location of their tab; components that follow the window use `useAddress`.
 */
export function AddressRouter({ children }: { readonly children: ReactNode }) {
  const bar = useService(AddressBar);
  const [beginning] = useState(bar.location);
  return (
    // With transitions React would replace the history entry, and the router's state with it, to show the browser's loading indicator.
    <Router location={beginning} navigator={bar} useTransitions={false}>
      {children}
    </Router>
  );
}
