import { Suspense } from 'react';
import { part } from '../part.tsx';
import type { SidePanelProps } from './SidePanelSheet.tsx';

const SidePanelSheet = part(() => import('./SidePanelSheet.tsx'));

/** A drawer over the page it belongs to: hidden with its tab and kept with it. What stands in it ends when it closes; unsaved changes in it are asked about first. */
export function SidePanel(props: SidePanelProps) {
  return <Suspense>{props.open && <SidePanelSheet {...props} />}</Suspense>;
}
