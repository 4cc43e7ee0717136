import { type ReactNode, useContext, useMemo } from 'react';
import type { Services } from '../../base/container/services.ts';
import { ServicesProvider } from '../../base/react/services.tsx';
import { PaneContext } from '../../ui/pane/pane-context.ts';
import { PaneServices } from './pane-services.ts';

/** Provides services to a page in a tab; its `Http` ends with the tab. */
export function PaneProvider({ services, children }: { readonly services: Services; readonly children: ReactNode }) {
  const { signal } = useContext(PaneContext);
  const paneServices = useMemo(() => (signal ? new PaneServices(services, signal) : services), [services, signal]);
  return <ServicesProvider services={paneServices}>{children}</ServicesProvider>;
}
